/**
 * Headers of every file in the media bucket, used by the distribution and the local stack. No file is interpreted as
 * another type, and no file that a browser opens directly (an SVG, a PDF) can run a script or load anything.
 */
export const mediaHeaders = {
  contentSecurityPolicy:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  contentTypeOptions: "nosniff",
} as const;
