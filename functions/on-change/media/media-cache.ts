/** A file never changes under its name. A deleted file is out of all caches after a day. */
export const mediaCache = "public, max-age=86400, immutable";
