export const cartLimits = {
  lines: 50,
  quantity: 99,
  uploadsPerLine: 5,
  /** The maximum size of the whole stored cart. */
  bytes: 200 * 1024,
} as const;
