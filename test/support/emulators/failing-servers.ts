import { randomInt } from "node:crypto";
import { once } from "node:events";
import {
  type IncomingMessage,
  request as send,
  type RequestListener,
  createServer,
} from "node:http";
import { buffer, text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";

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

export interface FailingMailServer {
  readonly endpoint: string;
  /** The number of requests so far. */
  requests(): number;
  /** The bodies of the requests so far. */
  readonly bodies: readonly string[];
  stop(): Promise<void>;
}

/** A mail server that returns one error for every mail, in SES's format. */
export async function startFailingMailServer(
  status: number,
  error: string,
): Promise<FailingMailServer> {
  const bodies: string[] = [];
  let requests = 0;
  const server = await serveOnLoopback(async (request, response) => {
    requests++;
    bodies.push(await text(request));
    response
      .writeHead(status, { "content-type": "application/json", "x-amzn-errortype": error })
      .end(JSON.stringify({ message: "asha@example.com is not to be named" }));
  });
  return {
    endpoint: server.baseUrl,
    requests: () => requests,
    bodies,
    stop: () => server.stop(),
  };
}

export interface LoopbackServer {
  readonly baseUrl: string;
  /** Stops the server and closes all connections. */
  stop(): Promise<void>;
}

/**
 * Longer than the emulators' 72 s, which proxies pass on in the `Keep-Alive` header: a client that reuses a connection
 * as announced must not find it closed.
 */
const keepAliveTimeout = 90_000;

/** Serves requests at a free port of the loopback interface. */
export async function serveOnLoopback(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
