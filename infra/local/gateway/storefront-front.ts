import type { ServerResponse } from "node:http";
import { basename, extname, join } from "node:path";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { LocalPages } from "./gateway.ts";

const sources = join(import.meta.dirname, "../storefront");
const client = join(import.meta.dirname, "../../../shared/client/index.js");
const assets = "/storefront/";
const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".ttf": "font/ttf",
  ".map": "application/json",
};

/**
 * Serves the storefront of the demo shop: the same document for every page, and the files that it loads, which are
 * bundled at the first request for one of them.
 *
 * @param stripeUrl of the API that takes card payments; the only other address that the pages may call
 */
export function storefrontPages(stripeUrl: string): LocalPages {
  const page = document(stripeUrl);
  let bundled: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

  async function sendFile(name: string, response: ServerResponse): Promise<void> {
    bundled ??= bundle();
    const bytes = (await bundled).get(name);
    const type = contentTypes[extname(name)] ?? "application/octet-stream";
    response.writeHead(bytes ? 200 : 404, {
      "content-type": bytes ? type : "text/plain",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    response.end(bytes ?? "Not Found");
  }

  return {
    takes({ method, url = "/", headers }) {
      if (method !== "GET" && method !== "HEAD") return false;
      if (url.startsWith(assets)) return true;
      return !url.startsWith(`${apiPrefix}/`) && !!headers.accept?.includes("text/html");
    },
    answer({ url = "/" }, response) {
      const { pathname } = new URL(url, "http://localhost");
      if (!pathname.startsWith(assets)) {
        response.writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policy(stripeUrl),
          "cache-control": "no-cache",
          "referrer-policy": "same-origin",
          "x-content-type-options": "nosniff",
        });
        response.end(page);
        return;
      }
      sendFile(pathname.slice(assets.length), response).catch((problem: unknown) => {
        bundled = undefined;
        console.error("The storefront was not bundled:", problem);
        response.writeHead(500).end();
      });
    },
  };
}

/** The bundler is loaded only if somebody opens the storefront. @returns files by name */
async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: ["main.ts", "style.css"].map((name) => join(sources, name)),
    alias: { "furniture-storefront-client": client },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    loader: { ".ttf": "file" },
    assetNames: "[name]",
    outdir: sources,
    sourcemap: true,
    logLevel: "silent",
  });
  await stop();
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

const policy = (stripeUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${stripeUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The icon is a threshold: the shop's name means one. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath d='M2 15V7a6 6 0 0 1 12 0v8h-3V7a3 3 0 0 0-6 0v8z' fill='%238a3f1f'/%3E%3C/svg%3E";

const document = (stripeUrl: string): string => `<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="stripe-url" content="${stripeUrl}">
<title>Dehleez</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assets}style.css">
<script type="module" src="${assets}main.js"></script>
</head>
<body><noscript>This shop needs JavaScript.</noscript></body>
</html>
`;
