import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

export interface MailServer {
  /** Speaks SES v2; a browser finds the inbox there. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Emulator {
  default(options: { host: string; port: number }): Promise<Server>;
}

/**
 * Takes mail and shows it to whoever looks: a page at `/`, JSON at `/store`. Nothing leaves this machine.
 * Mail is kept as long as this process lives, in one inbox however many servers it starts.
 *
 * @param port 0: any free one
 */
export async function startMail(port = 0): Promise<MailServer> {
  // Loaded when it is wanted and not with this module, because it takes a while.
  const emulator = createRequire(import.meta.url)("aws-ses-v2-local") as Emulator;
  const server = await emulator.default({ host: "127.0.0.1", port });
  if (!server.listening) throw new Error(`The mail server does not start: is port ${port} taken?`);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
