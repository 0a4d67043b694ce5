// @module-tag emulator
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { description } from "#functions/docs/description.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Description, operationsOf, resolved } from "#test/support/http/description.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl } = await useShop();

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const installed = (name: string) => join(root, "node_modules", name);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-"));
  // No registry is needed: the client's dependencies are packed from the packages that are installed here.
  const packages = ["openapi-fetch", "openapi-typescript-helpers"].map(installed);
  const pack = ["pack", "--silent", "--pack-destination", folder];
  await run("npm", pack, { cwd: join(root, "shared/client") });
  for (const each of packages) await run("npm", [...pack, "--ignore-scripts"], { cwd: each });
  const tarballs = (await readdir(folder)).map((file) => `./${file}`);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...options, ...tarballs], { cwd: folder });
  await cp(join(folder, "node_modules/furniture-storefront-client/examples"), folder, {
    recursive: true,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs an example in a folder that contains only the installed client. */
async function walk(example: string, ...values: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [example, ...values], { cwd: folder });
  return JSON.parse(stdout) as unknown;
}

test("packing the client writes its types, in at most 90 lines for each operation", async () => {
  const types = join(folder, "node_modules/furniture-storefront-client/schema.d.ts");
  const lines = (await readFile(types, "utf8")).split("\n").length;
  const operations = everyRoute.filter(({ route }) => !route.outsideApi).length;
  expect(lines / operations).toBeLessThanOrEqual(90);
});

test("the client's code examples pass a strict type check against the packed client", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts"));
  expect(files.toSorted()).toEqual(["back-office.ts", "storefront.ts"]);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const options = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--typeRoots"];
  const types = [installed("@types"), "--types", "node"];
  await run(installed(".bin/tsc"), [...strict, ...options, ...types, ...files], { cwd: folder });
});

test("a guest can list products, fill a cart, order, and read and track the order with the client", async () => {
  expect(await walk("storefront.ts", baseUrl)).toEqual({
    units: 2,
    status: "pending_payment",
    actions: ["pay", "cancel"],
  });
});

test("staff can sign in, paginate through orders and change an order with the client", async () => {
  const login = ["owner@demo.test", "owner-demo-password"];
  expect(await walk("back-office.ts", baseUrl, ...login)).toEqual({
    notes: "Called: deliver after six.",
    sofas: true,
  });
});

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
}
interface Shop {
  GET(path: string, init?: object): Promise<Answer>;
}
interface ClientModule {
  createShopClient(options: object): Shop;
}

/** The packed client, with a `fetch` that records the requests and answers each with the same response. */
async function recordedClient(answer: () => Response, tokens: object = {}) {
  const path = join(folder, "node_modules/furniture-storefront-client/index.js");
  const { createShopClient } = (await import(path)) as ClientModule;
  const requests: Request[] = [];
  const shop = createShopClient({
    baseUrl: "http://shop.example",
    fetch: async (request: Request) => {
      requests.push(request);
      return answer();
    },
    ...tokens,
  });
  return { shop, requests };
}

test.each([
  [401, '{"message":"Unauthorized"}', "unauthenticated", "Unauthorized"],
  [429, '{"message":"Too Many Requests"}', "too_many_requests", "Too Many Requests"],
  [502, "<html>Bad gateway</html>", "unavailable", "The service answered 502."],
  [500, "", "server_error", "The service answered 500."],
  [409, '{"message":"Empty","code":"cart_empty","request_id":"1"}', "cart_empty", "Empty"],
])(
  "an error of the client has a code also where API Gateway answers %i with %s",
  async (status, body, code, message) => {
    const { shop } = await recordedClient(() => new Response(body, { status }));
    expect((await shop.GET("/api/v1/cart")).error).toMatchObject({ code, message });
  },
);

test("the client sends the tokens of cart and order to the operations that the document says take them", async () => {
  const tokens = { token: () => "t", cartToken: () => "c", orderToken: () => "o" };
  const { shop, requests } = await recordedClient(() => Response.json({ data: {} }), tokens);
  const document = JSON.parse(await description()) as Description;
  for (const { name, operation } of operationsOf(resolved(document))) {
    const [, path = ""] = name.split(" ");
    if (!path.startsWith(`${apiPrefix}/`) || path.startsWith(`${apiPrefix}/admin/`)) continue;
    const taken = new Set((operation.parameters ?? []).map((parameter) => parameter.name));
    await shop.GET(path);
    const sent = requests.at(-1)!.headers;
    for (const header of ["x-cart-token", "x-order-token"]) {
      if (taken.has(header)) expect([path, sent.has(header)]).toEqual([path, true]);
    }
    expect(sent.get("authorization")).toBe("Bearer t");
  }
  await shop.GET(`${apiPrefix}/products`);
  expect(requests.at(-1)!.headers.has("x-cart-token")).toBe(false);
});
