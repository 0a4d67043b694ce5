export const apiPrefix = "/api/v1";

/** Response headers of a POST that creates a record: `Location` is the record's path below the API prefix. */
export const locationHeaders = (path: string, replayed: boolean): Record<string, string> => ({
  Location: apiPrefix + path,
  ...replayHeaders(replayed),
});

/** Response headers of a call that takes an idempotency key. */
export const replayHeaders = (replayed: boolean): Record<string, string> =>
  replayed ? { "Idempotent-Replayed": "true" } : {};
