// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { explorerAssets } from "#functions/docs/explorer.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { Route } from "#shared/http/route.ts";
import { everyCall } from "#test/support/calls/every-call.ts";
import { type Data, aProductBody } from "#test/support/back-office/catalog.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { everyRoute, paramsOf, pathOf } from "#test/support/http/every-route.ts";
import { bearer } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import { type PermissionGuard, startPermissionGuard } from "#test/guards/permission-guard.ts";
import type { TableUse } from "#test/guards/table-uses.ts";
import { type Upload, aPhotograph, judged, sendForm } from "#test/support/shop/uploads.ts";
import { deployed, functions } from "./deployed-shop.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { type Statement, textOf } from "./template.ts";

type Headers = Record<string, string>;

const statements = new Map(functions.map(({ name }) => [name, deployed(name).statements]));

const matches = (pattern: string, text: string) =>
  pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

/** Whether IAM allows a call: one statement must cover all its partitions. */
function isGranted({ Action, Resource, Condition }: Statement, use: TableUse): boolean {
  const keys = Condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? [];
  const resource = use.index === undefined ? "table" : `table/index/${use.index}`;
  return (
    Action.includes(`dynamodb:${use.action}`) &&
    Resource.some((each) => textOf(each, "table") === resource) &&
    use.ranges.every(({ pk }) => keys.some((pattern) => matches(pattern, pk)))
  );
}

/** Calls that a function declares but its role denies. */
const denied = new Set<string>();
let guard: PermissionGuard;
let stack: Stack;

beforeAll(async () => {
  guard = await startPermissionGuard({
    see(name, use) {
      if (statements.get(name)?.some((statement) => isGranted(statement, use))) return;
      const partitions = use.ranges.map(({ pk }) => pk).join(", ");
      denied.add(`${name}: ${use.action} ${use.index ?? ""} of ${partitions}`);
    },
  });
  stack = await startStack({
    functions: guard.functions,
    shop: "planted",
    consumers: consumersOf(everyEffect),
  });
  await stack.settled();
});

afterAll(async () => {
  await stack.stop();
  await guard.stop();
});

/** Values of path parameters that no list contains. */
const values: Record<string, string> = {
  "/admin/settings/{group}": "store",
  "/admin/exports/{type}": "full",
  "/docs/api/{asset}": explorerAssets[0],
  "/sitemaps/{file}": "1.xml",
};

/** The path of the first record in the parent list; undefined if a call needs a separate record. */
async function listedAddress(route: Route, client: Client, proof: Headers) {
  const [variable, ...others] = paramsOf(route);
  if (route.method !== "GET" || variable === undefined || others.length > 0) return undefined;
  const known = values[route.path];
  if (known !== undefined) return pathOf(route, () => known);
  const list = route.path.slice(0, route.path.indexOf("/{"));
  const { body } = await client.get<{ data?: Record<string, string>[] }>(list, proof);
  const value = Array.isArray(body.data) ? body.data[0]?.[variable] : undefined;
  return value === undefined ? undefined : pathOf(route, () => value);
}

/** Creates a product with a library picture, so that consumers process the upload and the use of the picture. */
async function showPicture(client: Client, proof: Headers): Promise<void> {
  const file = await aPhotograph("jpeg", { width: 60, height: 40 });
  const asked = { filename: "oslo.jpg", content_type: "image/jpeg", size: file.byteLength };
  const made = await client.post<Data<Upload>>("/admin/media", asked, proof);
  const { id, upload } = made.body.data;
  if (upload) await sendForm(upload, file);
  const { url } = await judged(client, `/admin/media/${id}`, proof);
  const picture = { url, id, type: "image", role: "main", alt: "A chair", width: 40, height: 60 };
  const reply = await client.post("/admin/products", aProductBody({ media: [picture] }), proof);
  expect(reply.status, reply.text).toBe(201);
}

test("every AWS call that a route makes is declared in the manifest and granted by IAM", async () => {
  const { baseUrl, environment } = stack;
  const { token } = await signedIn(worldOf(environment), "staff");
  const [client, proof] = [clientOf(baseUrl), bearer(token)];
  const makeReady = await everyCall(baseUrl, environment);
  await waitFor("feeds", async () =>
    expect((await client.send("GET", "/sitemap.xml")).status).toBe(200),
  );
  for (const { key, route } of everyRoute) {
    const address = await listedAddress(route, client, proof);
    const { status, text } =
      address === undefined
        ? await (
            await makeReady(route)
          )(baseUrl)
        : await client.send("GET", address, { headers: proof });
    expect(status, `${key}: ${text.slice(0, 300)}`).toBeLessThan(400);
  }
  await showPicture(client, proof);
  await stack.settled();

  expect(guard.undeclared()).toEqual([]);
  expect([...denied].toSorted()).toEqual([]);
});
