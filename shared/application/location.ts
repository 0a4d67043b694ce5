import { apiPrefix } from "../domain/request/api-path.ts";

/** Headers of the answer to a POST that creates: where the record is read, below the prefix. */
export const locationHeaders = (path: string, replayed: boolean): Record<string, string> => ({
  Location: apiPrefix + path,
  ...(replayed && { "Idempotent-Replayed": "true" }),
});
