import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A node:http server that returns the same bytes for every request: the lower bound of any service in Node. */
let body = "";
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

process.on("message", (message: { body?: string }) => {
  if (message.body !== undefined) body = message.body;
  const { user, system } = process.cpuUsage();
  process.send?.({
    cpuSeconds: (user + system) / 1e6,
    emulatorSeconds: 0,
    answeringSeconds: 0,
    consumerSeconds: 0,
    residentMb: process.memoryUsage().rss / 2 ** 20,
  });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
