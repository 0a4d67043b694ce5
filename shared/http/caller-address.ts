import { hash, timingSafeEqual } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { KeySource } from "../runtime/key-ring.ts";
import { openKeys } from "../runtime/key-rings.ts";
import { readEnvironment } from "../runtime/environment.ts";

/** The header with which our CloudFront distribution authenticates itself. */
export const originSecretHeader = "X-Origin-Secret";
/** The header in which CloudFront sends the viewer's address and port. */
export const viewerAddressHeader = "CloudFront-Viewer-Address";

const secretMember = originSecretHeader.toLowerCase();
const viewerMember = viewerAddressHeader.toLowerCase();

/** The keys of our CloudFront distribution; undefined if the service runs without one. */
export function openOriginKeys(environment: NodeJS.ProcessEnv): KeySource | undefined {
  const { ORIGIN_KEYS: keys, ORIGIN_SECRET: secret } = readEnvironment(environment, [
    "ORIGIN_KEYS",
    "ORIGIN_SECRET",
  ]);
  return keys === undefined && secret === undefined ? undefined : openKeys({ keys, secret });
}

/**
 * The caller's IP address: from API Gateway, or from our CloudFront distribution.
 *
 * @param origin its keys; without them no header is trusted
 * @throws Unavailable while they cannot be read: otherwise all callers would share CloudFront's address in rate
 * limits
 */
export async function callerAddress(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, "headers" | "requestContext">,
  origin: KeySource | undefined,
): Promise<string> {
  const { sourceIp } = requestContext.http;
  const secret = headers[secretMember];
  const viewer = headers[viewerMember];
  if (!origin || secret === undefined || viewer === undefined) return sourceIp;
  return (await isOrigins(secret, origin)) ? withoutPort(viewer) : sourceIp;
}

/** An unknown secret may be newer than the cached keys. Requesting an unknown key id reloads them. */
async function isOrigins(secret: string, keys: KeySource): Promise<boolean> {
  return fits(secret, await keys()) || fits(secret, await keys(""));
}

function fits(secret: string, { current, previous }: Awaited<ReturnType<KeySource>>): boolean {
  const given = hash("sha256", secret, "buffer");
  return [current, previous].some(
    (key) => key !== undefined && timingSafeEqual(given, hash("sha256", key.secret, "buffer")),
  );
}

/** `198.51.100.7:46532`, `2001:db8::7:46532` or `[2001:db8::7]:46532`. */
function withoutPort(viewer: string): string {
  return viewer.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
}
