import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, sep } from "node:path";

export interface MailServer {
  /** Speaks SES v2; a browser finds the inbox there. */
  readonly endpoint: string;
  stop(): Promise<void>;
  /** Listens again after a stop, at the same address and with the same mails. */
  restart(): Promise<void>;
}

type Emulator = (options: { host: string; port: number }) => Promise<Server>;

/** Takes mail and shows it to whoever looks: a page at `/`, JSON at `/store`. Nothing leaves this machine. */
export async function startMail(): Promise<MailServer> {
  const emulator = loadEmulator();
  const listen = (port: number) => emulator({ host: "127.0.0.1", port });
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async restart() {
      server = await listen(port);
      if (!server.listening) throw new Error(`Port ${port} of the mail server has been taken.`);
    },
  };
}

/**
 * The emulator keeps its mails in a variable of a module, so each server gets a copy of the modules of its own.
 * Loaded when first needed, because that takes a while.
 */
function loadEmulator(): Emulator {
  const require = createRequire(import.meta.url);
  const entry = require.resolve("aws-ses-v2-local");
  const directory = dirname(entry) + sep;
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(directory)) delete require.cache[file];
  }
  return (require(entry) as { default: Emulator }).default;
}
