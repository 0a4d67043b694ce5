// @module-tag slow
// @module-tag emulator
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
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
