import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { callInProcess, send } from "#infra/local/emulators/in-process.ts";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

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
  const servers: { stop(): unknown }[] = [];

  async function pass(incoming: IncomingMessage, name: string, service: string) {
    const { method = "GET", url = "/", headers } = incoming;
    const call = { name, service, method, url, headers, body: await buffer(incoming) };
    const verdict = options.judge(call);
    if (typeof verdict === "string") return { status: 400, headers: {}, body: verdict };

    const { origin, host } = new URL(options.target(service));
    const { expect: _answeredHere, ...passed } = headers;
    const { body } = call;
    const answer = await send({ origin, method, url, headers: { ...passed, host }, body });
    verdict(answer.body);
    return answer;
  }

  return {
    async endpointFor(name, service) {
      const listener: RequestListener = (incoming, outgoing) => {
        pass(incoming, name, service).then(
          ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
          () => outgoing.destroy(),
        );
      };
      const server = await serveOnLoopback(listener);
      servers.push(server, { stop: callInProcess(server.baseUrl, listener) });
      return server.baseUrl;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
