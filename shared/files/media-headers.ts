/**
 * What every file of the media bucket is handed out with, by the distribution and on this machine: no file is taken for
 * another type than its own, and none that a browser opens by itself (an SVG, a PDF) can run a script or load anything.
 */
export const mediaHeaders = {
  contentSecurityPolicy:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  contentTypeOptions: "nosniff",
} as const;
