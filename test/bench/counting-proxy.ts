import { Agent, request as send } from "node:http";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

/** The requests that a proxy has passed on so far. */
export interface PassedOn {
  readonly reads: number;
  readonly writes: number;
}

export interface CountingProxy {
  readonly endpoint: string;
  counted(): PassedOn;
  stop(): Promise<void>;
}

/** A proxy in front of a service that counts the requests. Those with GET and HEAD are reads. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let [reads, writes] = [0, 0];
  const server = await serveOnLoopback((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    if (method === "GET" || method === "HEAD") reads += 1;
    else writes += 1;
    const { hostname, port } = new URL(target);
    const passed = send({ agent, hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  return {
    endpoint: server.baseUrl,
    counted: () => ({ reads, writes }),
    async stop() {
      await server.stop();
      agent.destroy();
    },
  };
}
