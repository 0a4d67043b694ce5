import { randomUUID } from "node:crypto";
import type { Client, Reply } from "../http/client.ts";
import type { Effect } from "../stack/effects.ts";
import { waitFor, waitUntil } from "../stack/wait-until.ts";
import type { PublicationAction } from "#shared/domain/base/publication-schedule.ts";
import { Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import { Pages, Stories } from "#shared/storage/content/content.ts";
import { DuePublications, listDuePublications } from "#shared/storage/content/due-publications.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";

export interface Data<Value> {
  data: Value;
}

/** A unique value for this test, which search cannot read as a price. */
export const mark = () => `q${randomUUID().slice(0, 13)}`;

/** The body of a publishable product with one variant. */
export function aProductBody(overrides: Record<string, unknown> = {}) {
  const own = mark();
  return {
    name: `Zephyr stool ${own}`,
    slug: `zephyr-stool-${own}`,
    category_slug: "accent-chairs",
    hsn_code: "94016100",
    variants: [{ sku: `ZEP-${own.toUpperCase()}`, price: 1_250_000 }],
    ...overrides,
  };
}

/** The body of a sofa with one option. */
export function aSofaBody(overrides: Record<string, unknown> = {}) {
  const own = mark();
  return {
    name: `Zephyr sofa ${own}`,
    slug: `zephyr-sofa-${own}`,
    category_slug: "sofas",
    hsn_code: "94016100",
    base_price: 9_000_000,
    seats: 3,
    option_groups: [aGroupBody("legs", ["oak", "brass"], { required: true, default: "oak" })],
    ...overrides,
  };
}

/** The body of a fabric. */
export function aMaterialBody(overrides: Record<string, unknown> = {}) {
  const own = mark();
  return {
    code: `flax-${own}`,
    name: `Flax ${own}`,
    family: "Flax",
    type: "fabric",
    grade: "B",
    price_per_meter: 90_000,
    color: { name: "Sand", hex: "#d8c8a8", group: "beige" },
    martindale: 26_000,
    swatch: { url: "media://swatches/flax.webp", sku: `SWT-${own.toUpperCase()}`, price: 9_900 },
    ...overrides,
  };
}

const nothing = {
  media: null,
  swatch: null,
  price_rule: null,
  lead_time_days: null,
  dimensions: null,
  fabric_meters: null,
  seats: null,
};

export function aGroupBody(
  code: string,
  values: readonly string[],
  overrides: Record<string, unknown> = {},
) {
  return {
    code,
    label: code,
    help: null,
    input: "single",
    required: false,
    default: null,
    min: null,
    max: null,
    step: null,
    values: values.map((value) => ({ code: value, label: value, ...nothing })),
    ...overrides,
  };
}

/** Polls until the response is as expected: public responses may lag behind staff's changes. */
export async function soon<Body>(
  client: Pick<Client, "get">,
  path: string,
  expectation: (reply: Reply<Body>) => void,
): Promise<void> {
  await waitUntil(async () => expectation(await client.get<Body>(path)));
}

/** Polls until a list that a consumer keeps is as expected. */
export const soonListed = <Body>(
  effect: Effect & `${string}-index`,
  { get }: Pick<Client, "get">,
  path: string,
  expectation: (reply: Reply<Body>) => void,
): Promise<void> => waitFor(effect, async () => expectation(await get<Body>(path)));

/** Moves a publication time of a record into the past, so that the scheduled function acts on it now. */
export async function letTimeCome(
  table: Table,
  id: string,
  action: PublicationAction,
): Promise<void> {
  const rows = await listDuePublications(table, new Date("2100-01-01"), 1_000);
  const row = rows.find((each) => each.id === id && each.action === action);
  if (!row) throw new Error(`Nothing will ${action} ${id}`);
  const at = new Date(Date.now() - 1_000).toISOString();
  const time = action === "publish" ? { publish_at: at } : { unpublish_at: at };
  const found = async <Record>(read: Promise<Record | undefined>): Promise<Record> => {
    const record = await read;
    if (!record) throw new Error(`There is no ${id}`);
    return record;
  };
  const write = {
    page: async () => put(Pages, { ...(await found(table.get(Pages, { id }))), ...time }),
    story: async () => put(Stories, { ...(await found(table.get(Stories, { id }))), ...time }),
    homepage: async () => put(HomeDrafts, { ...(await found(table.get(HomeDrafts, {}))), ...time }),
    product: async () => put(Products, { ...(await found(table.get(Products, { id }))), ...time }),
    sofa: async () => put(Sofas, { ...(await found(table.get(Sofas, { id }))), ...time }),
  };
  await table.transact([
    await write[row.kind](),
    put(DuePublications, { ...row, set_for: at, at }),
  ]);
}
