import { text } from "node:stream/consumers";
import { serveOnLoopback } from "./loopback-server.ts";

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
