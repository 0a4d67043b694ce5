import { type ShopClient, createShopClient } from "#shared/client/index.js";
import { timeoutOf } from "#shared/runtime/timeouts.ts";

/** Thrown to skip a step: the shop lacks the part to be tried, or an earlier step that it depends on has failed. */
export class Skipped extends Error {}

/** Thrown to fail a step, because a response of the shop is wrong. */
export class WrongAnswer extends Error {}

/** A deployment under test. */
export interface Deployment {
  readonly baseUrl: string;
  /** Calls the API as a guest. */
  readonly shop: ShopClient;
  /** Calls the API as the staff user who has signed in. */
  readonly office: ShopClient;
  /** Sends a request that is not part of the API, such as to storage. */
  readonly fetch: typeof fetch;
  signIn(token: string): void;
  /** The request id of the last response; null if there was no response, or it had no id. */
  requestId(): string | null;
}

/** Headers with a request id, from the service, API Gateway, Lambda, S3 and CloudFront. */
const requestIdHeaders = [
  "x-request-id",
  "apigw-requestid",
  "x-amzn-requestid",
  "x-amz-request-id",
  "x-amz-cf-id",
];

/** Longer than API Gateway waits for a function. */
const timeoutMs = 35_000;

/** @param baseUrl address of the shop, without `/api/v1` and a trailing slash */
export function openDeployment(baseUrl: string): Deployment {
  let token: string | undefined;
  let requestId: string | null = null;
  const recorded: typeof fetch = async (input, init) => {
    requestId = null;
    const answer = await fetch(input, {
      ...init,
      signal: AbortSignal.timeout(timeoutOf(timeoutMs)),
    });
    const ids = requestIdHeaders.map((name) => answer.headers.get(name));
    requestId = ids.find((id) => id !== null) ?? null;
    return answer;
  };
  const options = { baseUrl, fetch: (request: Request) => recorded(request) };
  return {
    baseUrl,
    shop: createShopClient(options),
    office: createShopClient({ ...options, token: () => token }),
    fetch: recorded,
    signIn(given) {
      token = given;
    },
    requestId: () => requestId,
  };
}

/** Returns the data of a successful response. @throws WrongAnswer for any other response */
export function answered<Data>({
  data,
  error,
  response,
}: {
  data?: Data;
  error?: { message: string; code?: string } | undefined;
  response: Response;
}): NonNullable<Data> {
  if (data !== undefined && data !== null && response.ok) return data;
  const { code, message } = error ?? {};
  throw new WrongAnswer([response.status, code, message].filter(Boolean).join(" "));
}
