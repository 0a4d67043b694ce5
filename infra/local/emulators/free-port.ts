import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A loopback port that was free a moment ago. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
