import { hash, timingSafeEqual } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { KeySource } from "../runtime/key-ring.ts";
import { openKeys } from "../runtime/key-rings.ts";
import { readEnvironment } from "../runtime/environment.ts";

/** What our own CloudFront proves itself with. */
export const originSecretHeader = "X-Origin-Secret";
/** Where it says who called it: an address and a port. */
export const viewerAddressHeader = "CloudFront-Viewer-Address";

const secretMember = originSecretHeader.toLowerCase();
const viewerMember = viewerAddressHeader.toLowerCase();

/** The keys of our own CloudFront; undefined where none stands in front. */
export function openOriginKeys(environment: NodeJS.ProcessEnv): KeySource | undefined {
  const { ORIGIN_KEYS: keys, ORIGIN_SECRET: secret } = readEnvironment(environment, [
    "ORIGIN_KEYS",
    "ORIGIN_SECRET",
  ]);
  return keys === undefined && secret === undefined ? undefined : openKeys({ keys, secret });
}

/**
 * The address of whoever called: what API Gateway saw or, from our own CloudFront, what that saw.
 *
 * @param origin its keys; without them no header is believed
 * @throws Unavailable while they cannot be read: callers would count together, by the address of CloudFront
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

/** A secret that is not known yet may be newer than the keys held: naming a key that is not there looks for those. */
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
