/** What a `WWW-Authenticate: Bearer` header says. */
export interface Challenge {
  /** Why the request was refused (RFC 6750, section 3.1); absent when it had no credentials. */
  readonly error?: "invalid_token" | "insufficient_scope" | undefined;
  /** The reason in words. Any text: what a header cannot carry is replaced. */
  readonly description?: string | undefined;
  /** The scopes needed. */
  readonly scopes?: readonly string[] | undefined;
  /** The URL of the protected-resource metadata (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string | undefined;
}

const MAX_DESCRIPTION = 200;

/**
 * Text as RFC 6750 allows it in `error_description`: printable ASCII with neither
 * quotes nor backslashes. So nothing in it can end the quoted string or the header.
 */
function headerText(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\x00-\x20\x7F]+/g, " ")
    .replaceAll(/[^\x20-\x7E]+/g, "?")
    .trim();
}

/** The value of a `WWW-Authenticate` header. */
export function challengeHeader(challenge: Challenge): string {
  const parameters: string[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") {
      parameters.push(`${name}="${headerText(value)}"`);
    }
  };
  add("error", challenge.error);
  add("error_description", challenge.description?.slice(0, MAX_DESCRIPTION));
  if (challenge.scopes !== undefined && challenge.scopes.length > 0) {
    // Not shortened: half a list would ask for the wrong rights.
    const scope = challenge.scopes.map(headerText).join(" ");
    parameters.push(`scope="${scope}"`);
  }
  if (challenge.resourceMetadata !== undefined) {
    // A parsed URL, in which quotes and controls are percent-encoded.
    parameters.push(`resource_metadata="${challenge.resourceMetadata}"`);
  }
  // The scheme has to be followed by a parameter (RFC 6750, section 3).
  if (parameters.length === 0) parameters.push('realm="mcp"');
  return `Bearer ${parameters.join(", ")}`;
}
