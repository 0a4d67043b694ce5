import type { APIGatewayEventRequestContextV2, APIGatewayProxyEventV2 } from "aws-lambda";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** An event whose context may contain the authorizer's result. */
export type HttpApiEvent = APIGatewayProxyEventV2 & {
  requestContext: APIGatewayEventRequestContextV2 & {
    authorizer?: { lambda: Record<string, unknown> };
  };
};

/** The target of a request line, parsed once for routing and for the event. */
export interface RequestTarget {
  readonly path: string;
  readonly segments: readonly string[];
  readonly rawQueryString: string;
}

/**
 * Reads a request's target as AWS's gateway does: it decodes the path, cuts it at a decoded `?`, merges slashes, routes,
 * and decodes each segment once more. Documented is only that parameters arrive decoded. The rest is in live captures
 * (github.com/hotsock/voker, `vokerhttp/testdata/ingress-paths.json`; slashes: github.com/brefphp/symfony-bridge/issues/53).
 *
 * @returns undefined if API Gateway would return 400, because the URL is not in origin form or has invalid
 *   percent-encoding, which `%25` leaves behind for the second time
 */
export function parseTarget(url: string): RequestTarget | undefined {
  if (!url.startsWith("/")) return undefined;
  const mark = url.indexOf("?");
  const sent = mark < 0 ? url : url.slice(0, mark);
  const rawQueryString = mark < 0 ? "" : url.slice(mark + 1);
  if (!sent.includes("%")) return { ...routed(sent), rawQueryString };
  try {
    const { segments } = routed(decodeURIComponent(sent).split("?", 1)[0]!);
    const decoded = segments.map(decodeURIComponent);
    return { path: `/${decoded.join("/")}`, segments: decoded, rawQueryString };
  } catch {
    return undefined;
  }
}

function routed(path: string): Pick<RequestTarget, "path" | "segments"> {
  const merged = path.includes("//") ? path.replaceAll(/\/{2,}/g, "/") : path;
  return { path: merged, segments: merged.slice(1).split("/") };
}

interface Arrival {
  readonly target: RequestTarget;
  readonly routeKey: string;
  readonly params: Record<string, string> | undefined;
  readonly body: Buffer | undefined;
  readonly requestId: string;
}

/** The event of a request, in payload format 2.0. */
export function httpApiEvent(request: IncomingMessage, arrival: Arrival): HttpApiEvent {
  const { target, routeKey, body, requestId } = arrival;
  const { headers, cookies } = collectHeaders(request.rawHeaders);
  const peer = request.socket.remoteAddress ?? "";
  const now = Date.now();
  const domainName = headers["host"] ?? "";

  const event: HttpApiEvent = {
    version: "2.0",
    routeKey,
    rawPath: target.path,
    rawQueryString: target.rawQueryString,
    headers,
    requestContext: {
      accountId: "000000000000",
      apiId: "local",
      domainName,
      domainPrefix: "local",
      http: {
        method: request.method ?? "",
        path: target.path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: firstForwarded(headers["x-forwarded-for"]) ?? peer,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId,
      routeKey,
      stage: "$default",
      time: commonLogTime(now),
      timeEpoch: now,
    },
    isBase64Encoded: false,
  };
  headers["x-forwarded-for"] = headers["x-forwarded-for"]
    ? `${headers["x-forwarded-for"]}, ${peer}`
    : peer;
  headers["x-forwarded-port"] = String(request.socket.localPort);
  headers["x-forwarded-proto"] = "http";
  if (cookies) event.cookies = cookies;
  if (arrival.params) event.pathParameters = arrival.params;
  if (target.rawQueryString !== "") event.queryStringParameters = parseQuery(target.rawQueryString);
  if (body) {
    event.isBase64Encoded = !isText(headers["content-type"]);
    event.body = body.toString(event.isBase64Encoded ? "base64" : "utf8");
  }
  return event;
}

/** Lower-case names, repeated headers joined by commas, cookies separate. */
function collectHeaders(raw: readonly string[]): {
  headers: Record<string, string>;
  cookies: string[] | undefined;
} {
  const headers: Record<string, string> = {};
  let cookies: string[] | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const value = raw[i + 1] as string;
    if (name === "cookie") {
      for (const cookie of value.split(";")) (cookies ??= []).push(cookie.trim());
      continue;
    }
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return { headers, cookies };
}

function parseQuery(raw: string): Record<string, string> {
  // Without a prototype, `__proto__` is an ordinary name, as in parsed JSON.
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(raw)) {
    query[name] = name in query ? `${query[name]},${value}` : value;
  }
  return query;
}

/**
 * The first address in a forwarding header. Tests use the header to act as different clients; API Gateway would use the
 * peer's address.
 */
function firstForwarded(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const comma = header.indexOf(",");
  const first = (comma < 0 ? header : header.slice(0, comma)).trim();
  return isIP(first) ? first : undefined;
}

const textTypes = new Set(["application/json", "application/javascript", "application/xml"]);

function isText(contentType: string | undefined): boolean {
  if (!contentType) return false;
  const semicolon = contentType.indexOf(";");
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
  return (
    textTypes.has(type) ||
    type.startsWith("text/") ||
    type.endsWith("+json") ||
    type.endsWith("+xml")
  );
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
let lastSecond = -1;
let lastTime = "";

/** The time in the common log format, such as `12/Mar/2026:19:03:58 +0000`; computed once per second. */
function commonLogTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (second !== lastSecond) {
    const iso = new Date(epochMs).toISOString();
    const month = months[Number(iso.slice(5, 7)) - 1];
    lastTime = `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
    lastSecond = second;
  }
  return lastTime;
}
