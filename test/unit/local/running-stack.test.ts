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

/** A server that responds like a stack, and is announced as one. */
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

test("the commands find the stack that was started last, and earlier ones once it has stopped", async () => {
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

test("the commands ignore a stack that was killed", async () => {
  await startNamed("first");
  const killed = await startNamed("killed");
  stop(killed.server);
  expect(await found()).toBe("first");
  await startNamed("next", killed.port);
  expect(await found()).toBe("next");
});

test("the commands ignore an incomplete file", async () => {
  writeFileSync(join(folder, "1.json"), '{"baseUrl":');
  expect(await found()).toBeUndefined();
  await startNamed("whole");
  expect(await found()).toBe("whole");
});

test("the commands find no stack if none was ever started", async () => {
  expect(await runningEnvironment(join(folder, "none"))).toBeUndefined();
});
