import { hash, timingSafeEqual } from "node:crypto";
import { AppError } from "../domain/request/app-error.ts";
import { readVariable } from "../runtime/environment.ts";
import { KeyRing } from "../runtime/key-ring.ts";
import { secretKeysReader } from "../runtime/secret-keys.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { callerAddress } from "./caller-address.ts";
import type { PipelineStep } from "./pipeline-state.ts";

/** The header with which our CloudFront distribution authenticates itself. */
export const originSecretHeader = "X-Origin-Secret";
/** The environment variables that `serve` itself reads, in every function that answers routes. */
export const originVariables = ["ORIGIN_KEYS", "ORIGIN_SECRET"] as const;

/**
 * Reads the secrets of our CloudFront distribution: the current one, and the previous one during a rotation.
 *
 * @throws Unavailable when they cannot be read
 */
export type OriginKeys = () => Promise<KeyRing>;

/**
 * The keys of our CloudFront distribution, read once; undefined if the service runs without a distribution. A rotation
 * starts new instances, which read the new secret before CloudFront sends it.
 *
 * @param reader creates a function that reads the input of KeyRing from a secret
 * @throws ZodError or SyntaxError immediately when the variables are invalid
 */
export function openOriginKeys(
  environment: NodeJS.ProcessEnv,
  reader: (secret: string) => () => Promise<unknown> = secretKeysReader,
): OriginKeys | undefined {
  const keys = readVariable(environment, "ORIGIN_KEYS");
  const secret = readVariable(environment, "ORIGIN_SECRET");
  if (keys !== undefined) {
    const ring = KeyRing.parse(JSON.parse(keys));
    return async () => ring;
  }
  return secret === undefined ? undefined : readOnce(reader(secret));
}

/** Returns a function that reads the keys once. After a failed read, its next call reads again. */
function readOnce(read: () => Promise<unknown>): OriginKeys {
  let reading: Promise<KeyRing> | undefined;
  async function load(): Promise<KeyRing> {
    try {
      return KeyRing.parse(await read());
    } catch (cause) {
      reading = undefined;
      throw new Unavailable("The origin secret cannot be read", { cause });
    }
  }
  return () => (reading ??= load());
}

/**
 * Refuses requests that bypass our CloudFront distribution, and finds the caller's address.
 *
 * @param open opens the distribution's keys; called once
 */
export function checkOrigin(open: () => OriginKeys | undefined): PipelineStep {
  let opened: { readonly keys: OriginKeys | undefined } | undefined;
  return async ({ event, internal }) => {
    const { keys } = (opened ??= { keys: open() });
    await requireOrigin(event.headers, keys);
    internal.ip = callerAddress(event, keys !== undefined);
  };
}

const secretMember = originSecretHeader.toLowerCase();

/**
 * Refuses calls that bypass our CloudFront distribution and its firewall.
 *
 * @param keys undefined if there is no distribution; every call is then allowed
 * @throws AppError `forbidden`
 */
export async function requireOrigin(
  headers: Readonly<Record<string, string | undefined>>,
  keys: OriginKeys | undefined,
): Promise<void> {
  if (!keys) return;
  const { current, previous } = await keys();
  const sent = digest(headers[secretMember] ?? "");
  const isOurs = [current, previous].some(
    (key) => key !== undefined && timingSafeEqual(sent, digest(key.secret)),
  );
  if (!isOurs) {
    throw new AppError("forbidden", { message: "Call this service at its public address." });
  }
}

const digest = (text: string) => hash("sha256", text, "buffer");
