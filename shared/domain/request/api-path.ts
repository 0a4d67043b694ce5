export const apiPrefix = "/api/v1";

/** Response headers of a POST that creates a record: `Location` is the record's path below the API prefix. */
export const locationHeaders = (path: string, replayed: boolean): Record<string, string> => ({
  Location: apiPrefix + path,
  ...(replayed && { "Idempotent-Replayed": "true" }),
});
