import { brotliDecompressSync } from "node:zlib";

/** Replaces `brotli/decompress.js` in bundles. */
const decompress = (compressed: Uint8Array): Uint8Array => brotliDecompressSync(compressed);

// oxlint-disable-next-line import/no-default-export -- fontkit imports the default export.
export default decompress;
