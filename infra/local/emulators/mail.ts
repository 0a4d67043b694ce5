import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, sep } from "node:path";
import { keepAliveTimeout } from "#infra/local/gateway/http-server.ts";
import { callInProcess } from "./in-process.ts";

export interface MailServer {
  /** URL of the SES v2 API. A browser shows the inbox there. */
  readonly endpoint: string;
  /**
   * Breaks every connection until `recover`, except those that are under way: no mail is accepted without an answer. The port stays taken, so no other server receives the calls meanwhile.
   */
  fail(): void;
  /** Accepts mails again, and has kept those before the failure. */
  recover(): void;
  stop(): Promise<void>;
}

type Emulator = (options: { host: string; port: number }) => Promise<Server>;

/**
 * Accepts mails and shows them: as a page at `/`, as JSON at `/store`. Nothing leaves this machine. The emulator is loaded
 * at the first request, because loading takes longer than most parts of the stack.
 */
export async function startMail(): Promise<MailServer> {
  let handler: Promise<RequestListener> | undefined;
  let hasFailed = false;
  const answer: RequestListener = (request, response) => {
    if (hasFailed) {
      request.destroy();
      return;
    }
    handler ??= startEmulator();
    handler.then(
      (handle) => handle(request, response),
      (problem: unknown) => response.destroy(problem as Error),
    );
  };
  const server = createServer({ keepAliveTimeout }, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const leaveProcess = callInProcess(endpoint, answer);
  return {
    endpoint,
    fail() {
      hasFailed = true;
      server.closeIdleConnections();
    },
    recover() {
      hasFailed = false;
    },
    async stop() {
      leaveProcess();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The emulator listens at a port of its own. Its requests come from the server above instead. */
async function startEmulator(): Promise<RequestListener> {
  const own = await loadEmulator()({ host: "127.0.0.1", port: 0 });
  const [listener] = own.listeners("request");
  own.close();
  return listener as RequestListener;
}

/**
 * Loads a copy of the emulator for each server, because it stores mails in a module variable. Loading is slow, so it
 * happens only on demand.
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
