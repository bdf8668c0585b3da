/** How long a consent record waits for its answer unless told, in seconds. */
export const CONSENT_TTL_SECONDS = 600;

/**
 * How much the answers that a call carries from round to round may take: 64 KiB
 * (65,536 bytes) of JSON in UTF-8. A form of a few fields takes 100 bytes or so.
 */
export const MAX_CARRIED_BYTES = 65_536;
