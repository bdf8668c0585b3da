/** What the official suite runs for one revision, and what of it counts. */
export interface RevisionPlan {
  /** The revision. */
  readonly revision: string;
  /** How many scenarios the suite runs for it; fewer means that it broke off. */
  readonly scenarios: number;
  /** Scenarios that are run and shown, and do not count. */
  readonly optional: readonly RegExp[];
  /**
   * Scenarios the suite itself does not score, and that count here all the
   * same: they have to be there and pass.
   */
  readonly demanded: readonly string[];
}

/** The package the suite comes in. */
export const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** The revisions that are served, newest first. */
export const REVISIONS: readonly RevisionPlan[] = [
  {
    revision: "2026-07-28",
    scenarios: 50,
    // The tasks extension is not served.
    optional: [/^tasks-/],
    demanded: [
      "json-schema-2020-12",
      "http-header-validation",
      "http-custom-header-server-validation",
    ],
  },
  {
    revision: "2025-11-25",
    scenarios: 33,
    optional: [],
    demanded: [
      "json-schema-2020-12",
      "server-session-lifecycle",
      "server-sse-polling",
    ],
  },
];
