import * as z from "zod";
import { Money } from "../../base/money.ts";
import { Code } from "../../base/names.ts";
import { Id } from "../../base/ids.ts";
import { LimitedString, MultilineText, Text } from "../../base/text.ts";
import { ChosenSlot } from "../../delivery/delivery-slot.ts";
import { Reference } from "../../payment/record-payment.ts";
import { AddedUnits } from "../change/change-input.ts";
import { Inspection, ReturnKind, ReturnStatus, ReturnWish } from "./order-return.ts";

const line = z.string().max(60).meta({ description: "Id of the order's line" });

/** Each picture is a write in the transaction that opens a return. */
const mostPictures = 30;

const RequestedItem = z.strictObject({
  id: line,
  quantity: z.int().min(1).max(99),
  reason: Code.meta({ description: "Code of one of the shop's reasons" }),
  component: Text(80).nullable().default(null).meta({
    description: "With `warranty`: the component that failed. Default: the one with the longest",
  }),
  note: MultilineText(500).nullable().default(null),
  upload_ids: z
    .array(Id("upl"))
    .max(5)
    .default([])
    .overwrite((ids) => [...new Set(ids)])
    .meta({ description: "Pictures from `POST /media/fabric`" }),
});
export type RequestedItem = z.output<typeof RequestedItem>;

/** `POST /orders/{id}/returns`. */
export const ReturnInput = z.strictObject({
  kind: ReturnKind.default("return"),
  items: z
    .array(RequestedItem)
    .min(1)
    .max(20)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, {
      message: "The items field names a line twice.",
    })
    .refine((items) => new Set(items.flatMap((item) => item.upload_ids)).size <= mostPictures, {
      message: `A request can have at most ${mostPictures} pictures.`,
    }),
  wish: ReturnWish.default("refund"),
});
export type ReturnInput = z.output<typeof ReturnInput>;

/** `POST /admin/returns`. */
export const StaffReturnInput = ReturnInput.extend({
  order: LimitedString(60)
    .regex(/^[\w -]+$/, "Give the id or the number of an order.")
    .meta({ description: "Id or number of the order" }),
});
export type StaffReturnInput = z.output<typeof StaffReturnInput>;

const InspectedItem = z.strictObject({ id: line, ...Inspection.shape }).extend({
  goods: Inspection.shape.goods.default("restock"),
  accepted: Inspection.shape.accepted.default(0),
  refused: Inspection.shape.refused.default(0),
  missing: Inspection.shape.missing.default(0),
});
export type InspectedItem = z.output<typeof InspectedItem>;

/** A part that is sent free of charge. */
const Part = z.strictObject({ title: Text(200), quantity: z.int().min(1).max(99).default(1) });

/** `PATCH /admin/returns/{id}`. */
export const ReturnPatch = z
  .strictObject({
    status: ReturnStatus.exclude(["requested"])
      .optional()
      .meta({ description: "Required without `send_back` and `sent_back`" }),
    answer: MultilineText(500)
      .nullish()
      .meta({ description: "For the buyer, in the letter about this step" }),
    pickup: ChosenSlot.optional().meta({ description: "With `pickup_scheduled`" }),
    items: z.array(InspectedItem).min(1).max(20).optional().meta({
      description:
        "What the inspection found, for every item: with `inspected`, or with the outcome that follows it at once",
    }),
    fee: Money.optional().meta({
      description: "With `items`: less than what the settings ask for; 0 waives it",
    }),
    add: z
      .array(AddedUnits)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: "With `exchanged`: what the buyer gets instead" }),
    parts: z.array(Part).min(1).max(20).optional().meta({
      description: "With `repaired`: parts that are sent free of charge",
    }),
    send_back: ChosenSlot.optional().meta({
      description: "When the van brings back what was refused or repaired",
    }),
    sent_back: z.literal(true).optional().meta({
      description: "That the buyer has them again",
    }),
    refund: z
      .strictObject({
        method: z.enum(["cod", "bank_transfer"]).optional(),
        reference: Reference.nullish(),
      })
      .prefault({})
      .meta({ description: "How money goes back, unless as it was paid" }),
  })
  .superRefine(({ status, pickup, add }, context) => {
    const needs = { pickup: "pickup_scheduled", add: "exchanged" } as const;
    for (const [member, sent] of Object.entries({ pickup, add })) {
      const owner = needs[member as keyof typeof needs];
      if ((status === owner) === (sent !== undefined)) continue;
      const message = sent
        ? `The ${member} field belongs to the status ${owner}.`
        : `The ${member} field is required.`;
      context.addIssue({ code: "custom", path: [member], message });
    }
  })
  .refine(({ status, parts }) => parts === undefined || status === "repaired", {
    path: ["parts"],
    message: "The parts field belongs to the status repaired.",
  })
  .refine(({ send_back, sent_back }) => !(send_back && sent_back), {
    path: ["sent_back"],
    message: "Send either send_back or sent_back.",
  })
  .refine((patch) => patch.status ?? patch.send_back ?? patch.sent_back, {
    path: ["status"],
    message: "The status field is required.",
  });
export type ReturnPatch = z.output<typeof ReturnPatch>;
