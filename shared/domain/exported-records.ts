import * as z from "zod";
import { Category } from "./category.ts";
import { Announcement, Faqs, Menus, SofaLanding } from "./content.ts";
import { Home, HomeDraft } from "./home.ts";
import { InteriorStory, LiveStory } from "./interior-story.ts";
import { Material } from "./material.ts";
import { MediaItemView } from "./media-item.ts";
import { Order, StoredOrder } from "./order.ts";
import { Transaction } from "./payment.ts";
import { LivePage, Page } from "./page.ts";
import { Redirects } from "./redirect.ts";
import { Sofa } from "./sofa.ts";
import { StaffProduct } from "./staff-product.ts";
import type { ExportRow, ExportedPart } from "./export.ts";

const version = z.int().min(1);

/** What the public sees of a document, where that is another thing than its working copy; else null. */
const live = <Live extends z.ZodType>(of: Live) => ({ live_copy: of.nullable() });

/** An order with all its rows, but what proves a guest's, and how it is counted. */
const ExportedOrder = StoredOrder.omit({
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
});
export type ExportedOrder = z.output<typeof ExportedOrder>;

/** Settings hold their secrets elsewhere, and those never come here. */
const ExportedSettings = z.object({
  group: z.string(),
  version: z.int().min(0),
  value: z.record(z.string(), z.unknown()),
});

/** The records of each part, in the order that files hold them: what refers to another comes after it. */
export const exportedRecords = {
  content: {
    story: InteriorStory.extend(live(LiveStory)),
    page: Page.extend(live(LivePage)),
    home: HomeDraft.extend(live(Home)),
    faqs: Faqs,
    sofa_landing: SofaLanding.extend({ version }),
    menus: Menus.extend({ version }),
    announcement: Announcement.extend({ version }),
    redirects: Redirects,
  },
  catalog: {
    category: Category,
    material: Material,
    product: StaffProduct,
    sofa: Sofa,
  },
  orders: { order: ExportedOrder },
  media: { media: MediaItemView.omit({ reason_message: true }) },
  settings: { settings: ExportedSettings },
} as const satisfies Record<ExportedPart, Record<string, z.ZodObject>>;

export type ContentRecord = keyof (typeof exportedRecords)["content"];
export type CatalogRecord = keyof (typeof exportedRecords)["catalog"];

/**
 * A row with the members that its schema names, in its order, and none beside them: whatever a release to come stores
 * with a record stays inside until somebody lets it out.
 */
export function exportRow(part: ExportedPart, record: string, data: object): ExportRow {
  const schemas: Record<string, z.ZodObject> = exportedRecords[part];
  const schema = schemas[record];
  if (!schema) throw new TypeError(`No export of ${part} holds a ${record}`);
  const members = data as Readonly<Record<string, unknown>>;
  return {
    record,
    data: Object.fromEntries(
      Object.keys(schema.shape).map((name) => [name, members[name] ?? null]),
    ),
  };
}
