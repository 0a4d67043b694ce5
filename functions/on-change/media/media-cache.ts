/** A file never changes under its name. Deleted files disappear from caches within a day. */
export const mediaCache = "public, max-age=86400, immutable";
