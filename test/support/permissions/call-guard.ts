import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LoopbackServer, serveOnLoopback } from "../emulators/failing-servers.ts";

/** A function's call to an emulator. */
export interface GuardedCall {
  /** The function's name. */
  readonly name: string;
  readonly service: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface CallGuard {
  /**
   * The guard's address for calls of a function to a service. It has no path, because links are signed for an address
   * without a path.
   */
  endpointFor(name: string, service: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Proxies the emulators and judges every call.
 *
 * @param options.target the address of a service
 * @param options.judge returns the body of a refusal, or passes the call to the service and receives its response
 */
export async function startCallGuard(options: {
  target(service: string): string;
  judge(call: GuardedCall): string | ((answer: Buffer) => void);
}): Promise<CallGuard> {
  const servers: LoopbackServer[] = [];

  async function pass(incoming: IncomingMessage, name: string, service: string) {
    const { method = "GET", url = "/", headers } = incoming;
    const call = { name, service, method, url, headers, body: await buffer(incoming) };
    const verdict = options.judge(call);
    if (typeof verdict === "string") return { status: 400, headers: {}, body: verdict };

    const to = new URL(options.target(service));
    const { expect: _answeredHere, ...passed } = headers;
    const request = send(new URL(url, to), { method, headers: { ...passed, host: to.host } });
    request.end(call.body);
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    const body = await buffer(answer);
    verdict(body);
    return { status: answer.statusCode ?? 502, headers: answer.headers, body };
  }

  return {
    async endpointFor(name, service) {
      const server = await serveOnLoopback((incoming, outgoing) => {
        pass(incoming, name, service).then(
          ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
          () => incoming.socket.destroy(),
        );
      });
      servers.push(server);
      return server.baseUrl;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
