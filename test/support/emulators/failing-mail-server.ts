import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FailingMailServer {
  readonly endpoint: string;
  /** The number of calls. */
  asked(): number;
  stop(): void;
}

/** A mail server that returns one error for every mail, in SES's format. */
export async function startFailingMailServer(
  status: number,
  error: string,
): Promise<FailingMailServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    request.resume();
    response
      .writeHead(status, { "content-type": "application/json", "x-amzn-errortype": error })
      .end(JSON.stringify({ message: "asha@example.com is not to be named" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
