import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";

/** A request that the functions sent to Stripe. */
export const SentRequest = z.object({
  method: z.string(),
  /** Path and query. */
  url: z.string(),
  content_type: z.string().optional(),
  body: z.string(),
});
export type SentRequest = z.output<typeof SentRequest>;

/** The requests of the last whole run. */
export const requestsOfWholeRun = join(import.meta.dirname, "../../.local/stripe-requests.jsonl");

/**
 * File with the requests of a test run, one JSON value a line. Several processes may share it; without
 * `STRIPE_REQUESTS` it is deleted when the run ends.
 */
const requestsOfRun = process.env["STRIPE_REQUESTS"] ?? join(tmpdir(), "stripe-requests.jsonl");

const noted = new Set<string>();

/** Notes a request if this process has noted none of its kind. */
export function noteStripeRequest(request: SentRequest): void {
  const kind = kindOf(request);
  if (noted.has(kind)) return;
  noted.add(kind);
  mkdirSync(dirname(requestsOfRun), { recursive: true });
  appendFileSync(requestsOfRun, `${JSON.stringify(request)}\n`);
}

/** The requests in a file, one of each kind; undefined if there is no file. */
export function requestsIn(file: string): readonly SentRequest[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
  const requests = lines.map((line) => SentRequest.parse(JSON.parse(line)));
  return [...new Map(requests.map((request) => [kindOf(request), request])).values()];
}

/** Requests of a kind differ only in ids, numbers and free text. */
function kindOf({ method, url, body }: SentRequest): string {
  const { pathname, searchParams } = new URL(url, "http://stripe");
  const parameters = [...searchParams, ...new URLSearchParams(body)]
    .map(([name, value]) => `${name}=${/^[a-z_]+$/.test(value) ? value : typeOf(value)}`)
    .toSorted();
  return `${method} ${pathname.replaceAll(/\/[a-z]+_\w+/g, "/{id}")} ${parameters.join("&")}`;
}

const typeOf = (value: string) => (/^-?\d+$/.test(value) ? "number" : "text");
