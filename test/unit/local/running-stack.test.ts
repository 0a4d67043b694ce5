import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announce, runningEnvironment } from "#infra/local/running-stack.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";

let folder: string;
let servers: Server[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stacks-"));
  servers = [];
});
afterEach(() => {
  for (const server of servers) stop(server);
  rmSync(folder, { recursive: true });
});

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** A server that responds like a running stack and is announced under this name. */
async function startNamed(name: string, port = 0) {
  const server = createServer((_request, response) => response.end("{}"));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const taken = (server.address() as AddressInfo).port;
  const withdraw = announce(
    {
      baseUrl: `http://127.0.0.1:${taken}`,
      environment: { TABLE_NAME: name } as StackEnvironment,
    },
    folder,
  );
  return { server, withdraw, port: taken };
}

const found = async () => (await runningEnvironment(folder))?.TABLE_NAME;

test("commands use the local stack that was started last, and an earlier one once that has stopped", async () => {
  const first = await startNamed("first");
  const second = await startNamed("second");
  const third = await startNamed("third");
  expect(await found()).toBe("third");
  third.withdraw();
  expect(await found()).toBe("second");
  first.withdraw();
  expect(await found()).toBe("second");
  second.withdraw();
  expect(await found()).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test("commands ignore a local stack that was killed", async () => {
  await startNamed("first");
  const killed = await startNamed("killed");
  stop(killed.server);
  expect(await found()).toBe("first");
  await startNamed("next", killed.port);
  expect(await found()).toBe("next");
});

test("commands ignore an incomplete file of a local stack", async () => {
  writeFileSync(join(folder, "1.json"), '{"baseUrl":');
  expect(await found()).toBeUndefined();
  await startNamed("whole");
  expect(await found()).toBe("whole");
});

test("commands find no local stack if none was ever started", async () => {
  expect(await runningEnvironment(join(folder, "none"))).toBeUndefined();
});
