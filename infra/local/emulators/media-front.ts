import {
  Agent,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from "node:http";
import { mediaHeaders } from "#shared/files/media-headers.ts";

/** Cache-Control for objects that have none of their own. */
const cacheControl = "public, max-age=3600";
const forwarded = ["range", "if-none-match", "if-modified-since"];
const passedBack = [
  "accept-ranges",
  "content-disposition",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "etag",
  "last-modified",
];

interface MediaFront {
  answer(request: IncomingMessage, response: ServerResponse, corsHeaders: readonly string[]): void;
  stop(): void;
}

/**
 * Serves the media bucket's objects, as the CDN does in the cloud.
 *
 * @param prefix of the paths, such as `/media/`; the key follows it
 * @param bucketUrl path-style URL of the bucket
 */
export function mediaFront(prefix: string, bucketUrl: string): MediaFront {
  const agent = new Agent({ keepAlive: true });

  function refuse(
    response: ServerResponse,
    status: number,
    message: string,
    cors: readonly string[],
  ) {
    response
      .writeHead(status, ["content-type", "application/json", ...cors])
      .end(JSON.stringify({ message }));
  }

  return {
    answer(request, response, corsHeaders) {
      const key = keyOf(request.url ?? "", prefix);
      if (request.method !== "GET" && request.method !== "HEAD") {
        return refuse(response, 405, "Method Not Allowed", ["allow", "GET, HEAD", ...corsHeaders]);
      }
      if (key === undefined) return refuse(response, 404, "Not Found", corsHeaders);

      const headers = Object.fromEntries(
        forwarded.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : [])),
      );
      const upstream = httpRequest(
        `${bucketUrl}/${key}`,
        { agent, method: request.method, headers },
        (object) => {
          const status = object.statusCode ?? 502;
          if (status >= 400 && status !== 416) {
            object.resume();
            return refuse(response, 404, "Not Found", corsHeaders);
          }
          const answer = [
            "cache-control",
            object.headers["cache-control"] ?? cacheControl,
            "content-security-policy",
            mediaHeaders.contentSecurityPolicy,
            "x-content-type-options",
            mediaHeaders.contentTypeOptions,
            ...corsHeaders,
          ];
          for (const name of passedBack) {
            const value = object.headers[name];
            if (typeof value === "string") answer.push(name, value);
          }
          response.writeHead(status, answer);
          object.pipe(response);
        },
      );
      upstream.on("error", () => {
        if (response.headersSent) response.destroy();
        else refuse(response, 503, "Service Unavailable", corsHeaders);
      });
      response.on("close", () => upstream.destroy());
      upstream.end();
    },
    stop: () => agent.destroy(),
  };
}

/** @returns the key as the URL spells it; undefined if the path would lead out of the bucket */
function keyOf(url: string, prefix: string): string | undefined {
  const key = url.slice(prefix.length).split("?", 1)[0] as string;
  try {
    const segments = decodeURIComponent(key).split("/");
    return key === "" || segments.includes("..") || segments.includes(".") ? undefined : key;
  } catch {
    return undefined;
  }
}
