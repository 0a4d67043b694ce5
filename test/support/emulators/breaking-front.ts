import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveOnLoopback } from "./loopback-server.ts";

/** The request id of the error responses that the proxy returns. */
export const brokenRequestId = "req-of-the-broken-part";

/** A proxy in front of the API that can make some calls fail. */
export interface BreakingFront {
  readonly baseUrl: string;
  /**
   * From now on, fails these calls with this status and passes on all others, with a new IP address of the caller.
   * `path` is matched without the query.
   */
  breakCalls(calls: readonly (readonly [method: string, path: RegExp])[], status?: number): void;
  stop(): Promise<void>;
}

export async function startBreakingFront(target: string): Promise<BreakingFront> {
  let broken: readonly (readonly [string, RegExp])[] = [];
  let status = 500;
  let client = "10.0.0.1";

  const server = await serveOnLoopback((incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const [path = ""] = url.split("?");
    if (broken.some(([verb, pattern]) => verb === method && pattern.test(path))) {
      incoming.resume();
      outgoing
        .writeHead(status, { "content-type": "application/json", "x-request-id": brokenRequestId })
        .end(JSON.stringify({ message: "Something broke.", code: "server_error" }));
      return;
    }
    pass(incoming).then(
      ({ answer, body }) => outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body),
      () => incoming.socket.destroy(),
    );
  });

  async function pass(incoming: IncomingMessage) {
    const headers = { ...incoming.headers, "x-forwarded-for": client };
    const forwarded = send(new URL(incoming.url ?? "/", target), {
      method: incoming.method,
      headers,
    });
    forwarded.end(await buffer(incoming));
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    return { answer, body: await buffer(answer) };
  }

  return {
    baseUrl: server.baseUrl,
    breakCalls(calls, answer = 500) {
      broken = calls;
      status = answer;
      client = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
    },
    stop: () => server.stop(),
  };
}
