import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer {
  readonly baseUrl: string;
  /** Sends requests to this listener from now on. Until then, the server answers with a 503. */
  serve(listener: RequestListener): void;
  /** Stops the server after requests in progress, or after one second. */
  stop(): Promise<void>;
}

/** API Gateway's limit for the request line and all headers. Above it, Node returns 431. */
const maxHeaderBytes = 10_240;
const graceMs = 1000;
/** Much longer than a busy client may take to reuse a connection; Node's default of 5 s is not. */
export const keepAliveTimeout = 65_000;

/**
 * Listens on loopback before the stack is ready, because the functions' environment contains URLs with the port.
 *
 * @param port 0 for any free port
 */
export async function listen(port: number): Promise<HttpServer> {
  let current: RequestListener = (_request, response) => {
    response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
    response.end(JSON.stringify({ message: "Service Unavailable" }));
  };
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout },
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
