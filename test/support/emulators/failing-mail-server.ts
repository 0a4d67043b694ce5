import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface FailingMailServer {
  readonly endpoint: string;
  /** The number of requests so far. */
  requests(): number;
  /** The bodies of the requests so far. */
  readonly bodies: readonly string[];
  stop(): void;
}

/** A mail server that returns one error for every mail, in SES's format. */
export async function startFailingMailServer(
  status: number,
  error: string,
): Promise<FailingMailServer> {
  const bodies: string[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    bodies.push(await text(request));
    response
      .writeHead(status, { "content-type": "application/json", "x-amzn-errortype": error })
      .end(JSON.stringify({ message: "asha@example.com is not to be named" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    bodies,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
