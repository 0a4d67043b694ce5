import * as z from "zod";
import { Category } from "../catalog/category.ts";
import { Announcement, Faqs, Menus, SofaLanding } from "../content/content.ts";
import { Home, HomeDraft } from "../content/home.ts";
import { InteriorStory, PublishedStory } from "../content/interior-story.ts";
import { Material } from "../catalog/material.ts";
import { AdminMediaItem } from "../upload/media-item.ts";
import { StoredOrder } from "../order/order.ts";
import { Order } from "../order/view/buyer-order.ts";
import { Transaction } from "../payment/payment.ts";
import { PublishedPage, Page } from "../content/page.ts";
import { Redirects } from "../content/redirect.ts";
import { Sofa } from "../sofa/sofa.ts";
import { AdminProduct } from "../catalog/product.ts";
import type { ExportRow, ExportedPart } from "./export.ts";

const version = z.int().min(1);

/** A member for the published copy; null unless there is a published copy that differs from the draft. */
const published = <Of extends z.ZodType>(of: Of) => ({ published_copy: of.nullable() });

/** An order with all its rows, except the guest's token hash and the counters. */
export const ExportedOrder = StoredOrder.omit({
  access_token_hash: true,
  cart_id: true,
  counted: true,
  paid: true,
  refunded: true,
}).extend({
  totals: Order.shape.totals,
  shipments: Order.shape.shipments,
  transactions: z.array(Transaction),
  timeline: Order.shape.timeline,
  returns: Order.shape.returns,
});
export type ExportedOrder = z.output<typeof ExportedOrder>;

/** Secrets are stored elsewhere and never exported. */
const ExportedSettings = z.object({
  group: z.string(),
  version: z.int().min(0),
  value: z.record(z.string(), z.unknown()),
});

/** The records of each part, in file order: a record comes after those that it refers to. */
export const exportedRecords = {
  content: {
    story: InteriorStory.extend(published(PublishedStory)),
    page: Page.extend(published(PublishedPage)),
    home: HomeDraft.extend(published(Home)),
    faqs: Faqs,
    sofa_landing: SofaLanding.extend({ version }),
    menus: Menus.extend({ version }),
    announcement: Announcement.extend({ version }),
    redirects: Redirects,
  },
  catalog: {
    category: Category,
    material: Material,
    product: AdminProduct,
    sofa: Sofa,
  },
  orders: { order: ExportedOrder },
  media: { media: AdminMediaItem.omit({ reason_message: true }) },
  settings: { settings: ExportedSettings },
} as const satisfies Record<ExportedPart, Record<string, z.ZodObject>>;

export type ContentRecord = keyof (typeof exportedRecords)["content"];
export type CatalogRecord = keyof (typeof exportedRecords)["catalog"];

/**
 * A row with only the members that its schema declares, in the schema's order. Members that a later release stores are
 * not exported until they are declared.
 */
export function exportRow(part: ExportedPart, record: string, data: object): ExportRow {
  const schemas: Record<string, z.ZodObject> = exportedRecords[part];
  const schema = schemas[record];
  if (!schema) throw new TypeError(`The export of ${part} has no record ${record}`);
  // Every object can be read as a map of its members.
  const members = data as Readonly<Record<string, unknown>>;
  return {
    record,
    data: Object.fromEntries(
      Object.keys(schema.shape).map((name) => [name, members[name] ?? null]),
    ),
  };
}
