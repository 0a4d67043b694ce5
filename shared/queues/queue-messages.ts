import * as z from "zod";
import { Id } from "#shared/domain/base/ids.ts";
import { Email, Timestamp } from "#shared/domain/base/text.ts";
import { CountableEvent } from "#shared/domain/metrics/event-metrics.ts";

// The messages of the queues. Most name a record, whose current content the consumer reads.

/** Requests a rebuild of a read model; `npm run rebuild-index` sends it. */
const Rebuild = z.object({ kind: z.literal("rebuild") });

/** The position that a rebuild has reached. */
export const RebuildPortion = z.object({
  kind: z.literal("rebuild-portion"),
  /** Id of the rebuild. */
  id: z.string(),
  /** The kind being read, such as `product`. */
  of: z.string(),
  /** The table's key at the end of the previous portion. */
  after: z.record(z.string(), z.unknown()).optional(),
});
export type RebuildPortion = z.output<typeof RebuildPortion>;

export type RebuildMessage = z.output<typeof Rebuild> | RebuildPortion;

/** A record of the catalog index that may have changed. */
export const CatalogChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa"]), slug: z.string() }),
  z.object({ kind: z.enum(["page", "story"]), slug: z.string() }),
  z.object({ kind: z.literal("material"), code: z.string() }),
  z.object({ kind: z.enum(["categories", "sofa-landing", "search-settings"]) }),
  Rebuild,
  RebuildPortion,
]);
export type CatalogChange = z.output<typeof CatalogChange>;
export const CatalogChanges = z.object({ changes: z.array(CatalogChange).min(1) });

/** A record whose row in staff lists may have changed. */
export const StaffChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa", "material", "stock"]), id: z.string() }),
  Rebuild,
  RebuildPortion,
]);
export type StaffChange = z.output<typeof StaffChange>;
export const StaffChanges = z.object({ changes: z.array(StaffChange).min(1) });

/** A change that may start or end marketing mail. */
export const MarketingChange = z.discriminatedUnion("kind", [
  /** A new order whose buyer agreed to marketing. */
  z.object({ kind: z.literal("order"), id: z.string() }),
  z.object({
    kind: z.literal("customer"),
    id: z.string(),
    at: Timestamp,
    /** Whether the customer has withdrawn the consent. */
    left: z.boolean(),
    /** Whether the email has just been verified. */
    verified: z.boolean(),
    /** The verified email that the customer has replaced; null if none. */
    left_email: Email.nullable(),
  }),
  /** A product that has more units to sell, or that has been published or repriced. */
  z.object({ kind: z.enum(["stock", "price"]), id: z.string() }),
  /** A product that has been archived or deleted. */
  z.object({ kind: z.literal("discontinued"), id: z.string() }),
  /** A customer's cart. */
  z.object({ kind: z.literal("cart"), id: z.string(), at: Timestamp }),
]);
export type MarketingChange = z.output<typeof MarketingChange>;
export const MarketingChanges = z.object({ changes: z.array(MarketingChange).min(1) });

/** An order or a quote that may need further documents, or an order whose confirmation somebody wants to open. */
export const DocumentChange = z.object({
  kind: z.enum(["order", "order_confirmation", "quote"]),
  id: z.string(),
});
export type DocumentChange = z.output<typeof DocumentChange>;
export const DocumentChanges = z.object({ changes: z.array(DocumentChange).min(1) });

/** An order on which a name was added or changed. */
export const OrderNameChange = z.object({ id: z.string() });
export type OrderNameChange = z.output<typeof OrderNameChange>;
export const OrderNameChanges = z.object({ changes: z.array(OrderNameChange).min(1) });

/** A WhatsApp message to send. */
export const MessageToSend = z.object({ conversation_id: z.string(), id: z.string() });
export type MessageToSend = z.output<typeof MessageToSend>;

/** A conversation that was merged into another: its messages must be moved there. */
const MergedConversation = z.object({ merged: z.string() });
export type MergedConversation = z.output<typeof MergedConversation>;

export const WhatsAppWork = z.union([MessageToSend, MergedConversation]);
export type WhatsAppWork = z.output<typeof WhatsAppWork>;

/** A customer's WhatsApp message. Its row says whether its file must be fetched or removed. */
export const InboxFile = z.object({ conversation_id: z.string(), id: z.string() });
export type InboxFile = z.output<typeof InboxFile>;

/** S3's event for a new object in the quarantine bucket. */
const ObjectsCreated = z.object({
  Records: z.array(
    z.object({
      s3: z.object({
        object: z.object({
          /** S3 sends the key form-encoded: a plus is a space. */
          key: z.string().transform((key) => decodeURIComponent(key.replaceAll("+", " "))),
          size: z.int(),
        }),
      }),
    }),
  ),
});

/** The row of an upload was deleted: its files must be deleted, too. */
const UploadDeleted = z.object({ gone: z.object({ id: z.string(), files: z.array(z.string()) }) });
export type UploadDeleted = z.output<typeof UploadDeleted>;

/** The test event that S3 sends when notifications are set up. */
const TestEvent = z.object({ Event: z.literal("s3:TestEvent") });

export const MediaMessage = z.union([ObjectsCreated, UploadDeleted, TestEvent]);
export type MediaMessage = z.output<typeof MediaMessage>;

/** An item of the table whose pictures have changed. The consumer reads which pictures it shows now. */
const PicturesShown = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Ids of the media items that were added or removed. */
  media: z.array(z.string()).min(1),
  shown_by: z.object({ kind: z.string(), id: z.string() }),
});
export type PicturesShown = z.output<typeof PicturesShown>;

/** Visitors' uploads that an order now holds. */
const PicturesOrdered = z.object({ ordered: z.array(z.string()).min(1) });
export type PicturesOrdered = z.output<typeof PicturesOrdered>;

export const MediaUsesMessage = z.union([PicturesShown, PicturesOrdered]);
export type MediaUsesMessage = z.output<typeof MediaUsesMessage>;

/** An event to count, or a record that may count differently now. */
export const MetricChange = z.discriminatedUnion("kind", [
  CountableEvent.extend({ kind: z.literal("event") }),
  z.object({
    kind: z.enum(["order", "lead", "quote", "conversation", "stock"]),
    id: z.string(),
  }),
  z.object({ kind: z.literal("message"), id: z.string(), conversation_id: z.string() }),
]);
export type MetricChange = z.output<typeof MetricChange>;
export const MetricChanges = z.object({ changes: z.array(MetricChange).min(1) });

/** Ids of erased customers, to be added to the ledger of erased customers outside the table. */
export const ErasedIdChanges = z.object({ changes: z.array(z.object({ id: Id("cus") })).min(1) });
export type ErasedIdChanges = z.output<typeof ErasedIdChanges>;
