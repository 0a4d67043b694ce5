import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { PublicMemory } from "../runtime/public-memory.ts";
import { type HttpAnswer, publicAnswer, publicBody } from "./answers.ts";
import type { Answer, HandlerResult, Route } from "./route.ts";

interface Remembering {
  readonly id: string;
  readonly ifNoneMatch: string | undefined;
  readonly mediaBaseUrl: string | undefined;
  handle(): Promise<HandlerResult>;
}

/** Answers a request of a `remembered` route from memory if nothing public has changed since the last identical one. */
export async function remember(
  memory: PublicMemory,
  route: Route,
  { routeKey, pathParameters = {}, rawQueryString }: APIGatewayProxyEventV2,
  { handle, ...request }: Remembering,
): Promise<HttpAnswer> {
  const key = `${routeKey} ${JSON.stringify(pathParameters)} ${rawQueryString}`;
  const answer = await memory.keep(key, async () => {
    // Only routes whose answers have `data` are remembered.
    const { validUntil, ...data } = (await handle()) as Answer<unknown, unknown>;
    const value = publicBody(route, data, request.mediaBaseUrl);
    const seconds = typeof route.remembered === "object" ? route.remembered.seconds : Infinity;
    return {
      value,
      bytes: Buffer.byteLength(value.body),
      until: validUntil?.getTime() ?? Infinity,
      maxAgeMs: seconds * 1000,
    };
  });
  return publicAnswer(route, answer, request);
}
