import { afterEach, describe, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";

const stacks: Stack[] = [];
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
});

async function start(options: Parameters<typeof startStack>[0] = {}): Promise<Stack> {
  const stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    ...options,
  });
  stacks.push(stack);
  return stack;
}

const get = (stack: Stack, path: string, init?: RequestInit) => fetch(stack.baseUrl + path, init);

describe("the local stack", () => {
  test("runs the manifest's functions and handles unknown paths and methods", async () => {
    const stack = await start();
    expect((await get(stack, "/api/v1/health")).status).toBe(200);
    expect((await get(stack, "/api/v1/products")).status).toBe(200);
    expect((await get(stack, "/api/v1/nowhere")).status).toBe(404);
    const wrongMethod = await get(stack, "/api/v1/health", { method: "DELETE" });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("allow")).toBe("GET");
  });

  test(
    "can be started several times in one process, with separate data",
    { tags: "slow" },
    async () => {
      const [one, other] = await Promise.all([
        start({ environment: { APP_NAME: "one" } }),
        start({ environment: { APP_NAME: "other" } }),
      ]);
      const nameOf = async (stack: Stack) =>
        ((await (await get(stack, "/api/v1/health")).json()) as { data: { app: string } }).data.app;
      expect(await nameOf(one)).toBe("one");
      expect(await nameOf(other)).toBe("other");
      expect(one.environment.TABLE_NAME).not.toBe(other.environment.TABLE_NAME);
    },
  );

  test("stops serving media if seeding fails", async () => {
    let baseUrl = "";
    const failing = startStack({
      async seed({ MEDIA_BASE_URL }) {
        baseUrl = new URL(MEDIA_BASE_URL).origin;
        throw new Error("no seed today");
      },
    });
    await expect(failing).rejects.toThrow("no seed today");
    await expect(fetch(baseUrl)).rejects.toThrow();
  });

  test("waits until no queued work is left, and can be stopped twice", async () => {
    const stack = await start();
    await stack.settled();
    await stack.stop();
    await stack.stop();
    await expect(get(stack, "/api/v1/health")).rejects.toThrow();
  });
});
