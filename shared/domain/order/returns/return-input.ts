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
      .meta({ description: "Required without `give_back` and `given_back`" }),
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
    give_back: ChosenSlot.optional().meta({
      description: "When the van brings back what was refused or mended",
    }),
    given_back: z.literal(true).optional().meta({
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
  .refine(({ status, pickup }) => (status === "pickup_scheduled") === (pickup !== undefined), {
    path: ["pickup"],
    message: "The pickup field belongs to the status pickup_scheduled.",
  })
  .refine(({ status, add }) => (status === "exchanged") === (add !== undefined), {
    path: ["add"],
    message: "The add field belongs to the status exchanged.",
  })
  .refine(({ status, parts }) => parts === undefined || status === "repaired", {
    path: ["parts"],
    message: "The parts field belongs to the status repaired.",
  })
  .refine((patch) => patch.status ?? patch.give_back ?? patch.given_back, {
    path: ["status"],
    message: "The status field is required.",
  });
export type ReturnPatch = z.output<typeof ReturnPatch>;
