/** New content always gets a new file name, hence `immutable`. Deleted files disappear from caches within a day. */
export const mediaCache = "public, max-age=86400, immutable";
