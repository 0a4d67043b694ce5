import { readFileSync } from "node:fs";
import { join } from "node:path";
import absolutePath from "swagger-ui-dist/absolute-path.js";
import type { FileAnswer } from "#shared/http/route.ts";

/**
 * A page that lists every endpoint and calls it on the shop that serves the page. It loads nothing from other hosts.
 */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API explorer</title>
<link rel="stylesheet" href="/docs/api/swagger-ui.css">
<link rel="icon" href="/docs/api/favicon-32x32.png">
</head>
<body>
<div id="explorer"></div>
<noscript>The explorer needs JavaScript. The OpenAPI document is at <a href="/docs/api.json">/docs/api.json</a>.</noscript>
<script src="/docs/api/swagger-ui-bundle.js"></script>
<script src="/docs/api/start.js"></script>
</body>
</html>
`;

const start = `window.explorer = SwaggerUIBundle({
  dom_id: "#explorer",
  url: "/docs/api.json",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
};

/** The page's files by name. */
export const explorerAssets = [
  "start.js",
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "favicon-32x32.png",
] as const;
export type ExplorerAsset = (typeof explorerAssets)[number];

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The explorer sets inline styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const explorerPage = (): FileAnswer => ({
  file: Buffer.from(page),
  headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
});

/** Loaded lazily: loading zlib takes a tenth of a cold start, and the OpenAPI document does not need it. */
const zlib = () => process.getBuiltinModule("node:zlib");

const packed = new Map<ExplorerAsset, { plain: Buffer; gzip: Buffer }>();

/** One of the page's files, compressed if the caller accepts gzip. */
export function explorerAsset(name: ExplorerAsset, acceptEncoding = ""): FileAnswer {
  let asset = packed.get(name);
  if (!asset) {
    const plain =
      name === "start.js" ? Buffer.from(start) : readFileSync(join(absolutePath(), name));
    asset = { plain, gzip: zlib().gzipSync(plain) };
    packed.set(name, asset);
  }
  const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const headers = { "Content-Type": type, Vary: "Accept-Encoding" };
  return /\bgzip\b/.test(acceptEncoding)
    ? { file: asset.gzip, headers: { ...headers, "Content-Encoding": "gzip" } }
    : { file: asset.plain, headers };
}
