import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** A function's result as an HTTP response. */
export interface WireAnswer {
  readonly status: number;
  /** Alternating names and values, as `writeHead` takes them. The gateway adds length and CORS. */
  readonly headers: string[];
  readonly body: string | Buffer;
}

/** Lambda's limit for a result, which its runtime encodes as JSON: the quotes of a JSON body count twice. */
const maxResultBytes = 6 * 1024 * 1024;

/** Converts a function's result in payload format 2.0. @returns undefined if API Gateway would return a 500 */
export function wireAnswer(result: unknown): WireAnswer | undefined {
  const answer = isStructured(result) ? structured(result) : inferred(result);
  // Encoding costs CPU, and takes at most six bytes for a character.
  const mayBeTooLarge = answer !== undefined && answer.body.length * 6 > maxResultBytes;
  if (mayBeTooLarge && Buffer.byteLength(JSON.stringify(result)) > maxResultBytes) return undefined;
  return answer;
}

function isStructured(result: unknown): result is APIGatewayProxyStructuredResultV2 {
  return typeof result === "object" && result !== null && "statusCode" in result;
}

/** A result without a status code becomes the body of a 200. */
function inferred(result: unknown): WireAnswer {
  const body = typeof result === "string" ? result : JSON.stringify(result ?? null);
  return { status: 200, headers: ["content-type", "application/json"], body };
}

function structured(result: APIGatewayProxyStructuredResultV2): WireAnswer | undefined {
  const status = Number(result.statusCode);
  const body = result.body ?? "";
  if (!Number.isInteger(status) || status < 100 || status > 599 || typeof body !== "string")
    return undefined;

  const headers: string[] = [];
  let hasType = false;
  for (const [header, value] of Object.entries(result.headers ?? {})) {
    const name = header.toLowerCase();
    if (value === undefined || isGatewaysOwn(name)) continue;
    hasType ||= name === "content-type";
    headers.push(name, String(value));
  }
  for (const cookie of result.cookies ?? []) headers.push("set-cookie", cookie);
  if (!hasType && body !== "") headers.push("content-type", "text/plain; charset=utf-8");
  return { status, headers, body: result.isBase64Encoded ? Buffer.from(body, "base64") : body };
}

function isGatewaysOwn(name: string): boolean {
  return (
    name.startsWith("access-control-") ||
    name === "content-length" ||
    name === "transfer-encoding" ||
    name === "connection"
  );
}
