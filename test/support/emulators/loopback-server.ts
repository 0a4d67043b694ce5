import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
