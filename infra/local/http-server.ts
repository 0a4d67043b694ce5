import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer {
  readonly baseUrl: string;
  /** From now on requests go here; before, they are told to come back. */
  serve(listener: RequestListener): void;
  /** Lets calls under way finish, for a second at most. */
  stop(): Promise<void>;
}

/** API Gateway's limit on the request line and all headers together; Node answers 431 beyond it. */
const maxHeaderBytes = 10_240;
const graceMs = 1000;

/**
 * Listens on loopback before there is anything to serve: URLs in the functions' environment hold the port.
 *
 * @param port 0 for any free one
 */
export async function listen(port: number): Promise<HttpServer> {
  let current: RequestListener = (_request, response) => {
    response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
    response.end(JSON.stringify({ message: "Service Unavailable" }));
  };
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 65_000 },
    (request, response) => current(request, response),
  );
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(listener) {
      current = listener;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(impatience);
    },
  };
}
