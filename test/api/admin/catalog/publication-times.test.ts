import { beforeAll, describe, expect, test } from "vitest";
import type { Sellable } from "#shared/domain/catalog/product.ts";
import {
  type Data,
  aProductBody,
  aGroupBody,
  aSofaBody,
  mark,
  letTimeCome,
} from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop({ effects: ["due-orders"] });

let editor: StaffClient;
let owner: StaffClient;
let fabric: string;
beforeAll(async () => {
  const materials = await clientOf(baseUrl).get<Data<{ code: string }[]>>("/sofas/materials");
  fabric = materials.body.data[0]!.code;
  editor = await staffAs("catalog_editor");
  owner = await staffAs("owner");
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const [tomorrow, dayAfter] = [inSeconds(86_400), inSeconds(2 * 86_400)];
type Answered = Data<Sellable> & Problem;
async function create(path: string, body: object): Promise<Sellable> {
  const made = await editor.post<Answered>(path, body);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const actionsOn = async (target: string) =>
  (
    await owner.get<Data<{ action: string; actor: { id: string }; changes: object[] }[]>>(
      `/admin/activity?target=${target}`,
    )
  ).body.data;

/** A sofa whose price takes a fabric of the demo shop. */
function anUpholsteredSofa(overrides: Record<string, unknown> = {}) {
  const { option_groups, ...body } = aSofaBody(overrides);
  const material = { input: "material", required: true, default: fabric };
  return {
    ...body,
    option_groups: [...option_groups, aGroupBody("upholstery", [fabric], material)],
  };
}

describe.each([
  ["product", "/admin/products", "/products", aProductBody],
  ["sofa", "/admin/sofas", "/sofas", anUpholsteredSofa],
] as const)("a %s", (kind, admin, path, body) => {
  const change = (id: string, patch: object) => editor.patch<Answered>(`${admin}/${id}`, patch);
  const soonStatus = (slug: string, status: number) =>
    waitFor("due-orders", async () =>
      expect((await clientOf(baseUrl).get(`${path}/${slug}`)).status).toBe(status),
    );

  test("is published and unpublished at the times that staff set, and the activity log names who set the times", async () => {
    const times = { publish_at: tomorrow, unpublish_at: dayAfter };
    const { id, slug } = await create(admin, body(times));
    await letTimeCome(world.table, id, "publish");
    await soonStatus(slug, 200);
    await letTimeCome(world.table, id, "unpublish");
    await soonStatus(slug, 404);
    const { data } = (await editor.get<Answered>(`${admin}/${id}`)).body;
    expect(data).toMatchObject({ status: "draft", publish_at: null, unpublish_at: null });
    const log = await actionsOn(`${kind}:${id}`);
    expect(log.map(({ action, actor }) => [action, actor.id])).toEqual([
      [`${kind}.unpublish`, editor.id],
      [`${kind}.publish`, editor.id],
      [`${kind}.create`, editor.id],
    ]);
  });

  test("refuses publication times in the past, in the wrong order, or without an effect", async () => {
    const pathsOf = async (overrides: Record<string, unknown>) => {
      const { status, body: problem } = await editor.post<Problem>(admin, body(overrides));
      return [status, Object.keys(problem.errors ?? {})];
    };
    expect(await pathsOf({ publish_at: inSeconds(-1) })).toEqual([422, ["publish_at"]]);
    expect(await pathsOf({ publish_at: dayAfter, unpublish_at: tomorrow })).toEqual([
      422,
      ["unpublish_at"],
    ]);
    expect(await pathsOf({ status: "published", publish_at: tomorrow })).toEqual([
      422,
      ["publish_at"],
    ]);
  });

  test("loses `publish_at` when staff publish it by hand, and `unpublish_at` when they unpublish it", async () => {
    const times = { publish_at: tomorrow, unpublish_at: dayAfter };
    const { id } = await create(admin, body(times));
    const published = await change(id, { status: "published" });
    expect(published.body.data).toMatchObject({ publish_at: null, unpublish_at: dayAfter });
    expect((await change(id, { status: "draft" })).body.data).toMatchObject({
      publish_at: null,
      unpublish_at: null,
    });
  });
});

test("a draft that cannot be published at its publication time stays a draft, and the activity log says why", async () => {
  const overrides = { variants: [], name: `Nameless ${mark()}`, publish_at: tomorrow };
  const { id } = await create("/admin/products", aProductBody(overrides));
  await letTimeCome(world.table, id, "publish");
  await waitFor("due-orders", async () =>
    expect((await actionsOn(`product:${id}`))[0]).toMatchObject({
      action: "product.publish_failed",
      actor: { id: editor.id },
      changes: expect.arrayContaining([
        expect.objectContaining({ to: "The product needs at least one variant." }),
      ]),
    }),
  );
  const { data } = (await editor.get<Answered>(`/admin/products/${id}`)).body;
  expect(data).toMatchObject({ status: "draft", publish_at: null });
});
