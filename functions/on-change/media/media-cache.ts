/** A file never changes under its name; what is deleted is nowhere to be had a day later. */
export const mediaCache = "public, max-age=86400, immutable";
