import { BASE } from "./base.ts";
import { FEATURES } from "./features.ts";
import { HTTP } from "./http.ts";
import { PATTERNS } from "./patterns.ts";
import type { Requirement } from "./requirement.ts";
import { TRANSPORTS } from "./transports.ts";

/**
 * What the 2026-07-28 specification asks of servers and no conformance suite
 * checks in full, with the tests that do.
 */
export const REQUIREMENTS: readonly Requirement[] = [
  ...HTTP,
  ...BASE,
  ...PATTERNS,
  ...FEATURES,
  ...TRANSPORTS,
];
