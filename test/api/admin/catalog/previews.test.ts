import { describe, expect, test } from "vitest";
import type { PreviewLink } from "#shared/domain/content/preview-link.ts";
import { type Data, aProductBody, aSofaBody } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, staffAs } = await useShop();

const editor = await staffAs("catalog_editor");

interface Draft {
  readonly id: string;
  readonly slug: string;
}
async function create(path: string, body: object): Promise<Draft> {
  const made = await editor.post<Data<Draft>>(path, body);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const link = (path: string) =>
  editor.post<Data<PreviewLink> & Problem>(`${path}/preview`, undefined);
const tokenOf = async (path: string) =>
  new URL((await link(path)).body.data.url).searchParams.get("preview") ?? "";
const see = (path: string) => clientOf(baseUrl).get<Data<Record<string, unknown>> & Problem>(path);

describe.each([
  ["product", "/admin/products", "/products", aProductBody],
  ["sofa", "/admin/sofas", "/sofas", aSofaBody],
] as const)("a preview link of a %s", (kind, admin, path, body) => {
  test("shows the current draft without internal members; without its token, the response is 404", async () => {
    const draft = await create(admin, body());
    const token = await tokenOf(`${admin}/${draft.id}`);
    const address = `${path}/${draft.slug}?preview=${token}`;
    const shown = await see(address);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(shown.body.data).toMatchObject({ id: draft.id, kind, slug: draft.slug });
    expect(shown.text).not.toContain('"cost"');

    await editor.patch(`${admin}/${draft.id}`, { subtitle: "Second thoughts" });
    expect((await see(address)).body.data).toMatchObject({ subtitle: "Second thoughts" });
    expect((await see(`${path}/${draft.slug}`)).status).toBe(404);
  });

  test("shows no other record", async () => {
    const [draft, other] = [await create(admin, body()), await create(admin, body())];
    const token = await tokenOf(`${admin}/${draft.id}`);
    expect((await see(`${path}/${other.slug}?preview=${token}`)).status).toBe(404);
    const otherKind = path === "/sofas" ? "/products" : "/sofas";
    expect((await see(`${otherKind}/${draft.slug}?preview=${token}`)).status).toBe(404);
    expect((await see(`/pages/${draft.slug}?preview=${token}`)).status).toBe(404);
  });

  test("stops working when the draft is deleted", async () => {
    const draft = await create(admin, body());
    const token = await tokenOf(`${admin}/${draft.id}`);
    await editor.delete(`${admin}/${draft.id}`);
    expect((await see(`${path}/${draft.slug}?preview=${token}`)).status).toBe(404);
  });
});

test("creating a preview link of a product without variants is refused", async () => {
  const draft = await create("/admin/products", aProductBody({ variants: [] }));
  const refused = await link(`/admin/products/${draft.id}`);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { variants: ["The product needs at least one variant."] },
  ]);
});

test("a preview link returns 422 with the reason if the draft has become incomplete", async () => {
  const draft = await create("/admin/products", aProductBody());
  const token = await tokenOf(`/admin/products/${draft.id}`);
  await editor.patch(`/admin/products/${draft.id}`, { variants: [] });
  const reply = await see(`/products/${draft.slug}?preview=${token}`);
  expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, ["variants"]]);
});
