import { asResource } from "#test/support/stack/toy-service.ts";
import { describe, expect, test } from "vitest";
import { type OriginKeys, openOriginKeys, requireOrigin } from "#shared/http/origin.ts";
import { anyone, route } from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import { anEvent, invoke } from "#test/support/http/in-process.ts";

const current = { kid: "2", secret: "c".repeat(64) };
const previous = { kid: "1", secret: "p".repeat(64) };
const sending = (secret: string) => ({ "x-origin-secret": secret });
const arn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:origin-AbCdEf";

/** The origin keys of a deployed function. `read` returns its secret. */
function deployedKeys(read: () => Promise<unknown>): OriginKeys {
  const keys = openOriginKeys({ ORIGIN_SECRET: arn }, () => read);
  if (!keys) throw new Error("The function reads no secret");
  return keys;
}

describe("the origin secret of CloudFront", () => {
  test("is accepted in its current and its previous version, so that no request is refused during a rotation", async () => {
    const keys = deployedKeys(async () => ({ current, previous }));
    for (const { secret } of [current, previous]) {
      await expect(requireOrigin(sending(secret), keys)).resolves.toBeUndefined();
    }
  });

  test.each([
    ["no secret", {}],
    ["an empty secret", sending("")],
    ["another secret", sending("x".repeat(64))],
    ["both versions in one header", sending(`${current.secret},${previous.secret}`)],
  ])("is refused if a request sends %s", async (_what, headers) => {
    const keys = deployedKeys(async () => ({ current, previous }));
    await expect(requireOrigin(headers, keys)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is read once for concurrent and later requests, even if wrong secrets are sent", async () => {
    let reads = 0;
    const keys = deployedKeys(async () => {
      reads += 1;
      return { current };
    });
    const wrong = () => requireOrigin(sending("x".repeat(64)), keys).catch(() => undefined);
    await Promise.all([wrong(), requireOrigin(sending(current.secret), keys), wrong()]);
    await requireOrigin(sending(current.secret), keys);
    expect(reads).toBe(1);
  });

  test("is not required in a shop without CloudFront", async () => {
    expect(openOriginKeys({})).toBeUndefined();
    await expect(requireOrigin({}, undefined)).resolves.toBeUndefined();
  });
});

const toy = route({
  method: "GET",
  path: "/toy",
  summary: "Toy",
  access: anyone,
  request: {},
  response: { status: 204 },
  handle: async (_call, _deps: FrameDeps) => undefined,
});

test("the origin secret is read while the routes of the request load", async () => {
  const [reading, loading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const keys = deployedKeys(async () => {
    reading.resolve();
    await loading.promise;
    return { current };
  });
  const toys = {
    paths: ["/toy"],
    async load() {
      loading.resolve();
      await reading.promise;
      return { routes: [toy] };
    },
  };
  const handler = serve(
    [toys],
    () => ({}),
    () => keys,
  );
  const event = anEvent("GET /api/v1/toy", { headers: sending(current.secret) });
  expect(await invoke(handler, event)).toMatchObject({ status: 204 });
});

test("while the origin secret cannot be read, a request returns 503, and the next request reads the secret again", async () => {
  const stored: unknown[] = [new Error("throttled"), { current: { kid: "1", secret: "short" } }];
  const keys = deployedKeys(async () => {
    const read = stored.shift() ?? { current };
    if (read instanceof Error) throw read;
    return read;
  });
  const handler = serve(
    asResource(toy),
    () => ({}),
    () => keys,
  );
  const call = () =>
    invoke(handler, anEvent("GET /api/v1/toy", { headers: sending(current.secret) }));
  for (const _failure of [1, 2]) {
    expect(await call()).toMatchObject({
      status: 503,
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
      body: { code: "unavailable", request_id: expect.any(String) },
    });
  }
  expect(await call()).toMatchObject({ status: 204 });
});
