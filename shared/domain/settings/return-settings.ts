import * as z from "zod";
import { Money } from "../base/money.ts";
import { Code } from "../base/names.ts";
import { Text } from "../base/text.ts";
import { settingDefaults } from "./setting-defaults.ts";

/** Who is to blame for a return. Only a customer's fault costs a fee, or makes the rule for made-to-order goods apply. */
export const Fault = z.enum(["customer", "carrier", "factory", "shop"]);
export type Fault = z.output<typeof Fault>;

/** Why a buyer returns something. */
export const ReturnReason = z
  .strictObject({ code: Code, label: Text(80), needs_photo: z.boolean(), fault: Fault })
  .meta({ id: "ReturnReason" });
export type ReturnReason = z.output<typeof ReturnReason>;

const { returns } = settingDefaults;

export const ReturnSettings = z.strictObject({
  window_days: z.int().min(0).max(365).default(returns.window_days).meta({
    description: "Days after the delivery of a unit within which its buyer may return it",
  }),
  made_to_order: z.boolean().default(returns.made_to_order).meta({
    description: "Whether made-to-order goods may come back for a reason that is the customer's",
  }),
  reasons: z
    .array(ReturnReason)
    .min(1)
    .max(20)
    .refine((reasons) => new Set(reasons.map(({ code }) => code)).size === reasons.length, {
      message: "Each reason needs a code of its own.",
    })
    .default(returns.reasons),
  fee: z
    .strictObject({
      fixed: Money.default(returns.fee.fixed),
      bps: z.int().min(0).max(10_000).default(returns.fee.bps),
    })
    .refine(({ fixed, bps }) => fixed === 0 || bps === 0, {
      path: ["bps"],
      message: "The fee is either a fixed amount or a share.",
    })
    .prefault({})
    .meta({
      description:
        "What the shop keeps of a return for a reason that is the customer's: an amount per return, or basis points of " +
        "its value",
    }),
  refund_shipping: z
    .boolean()
    .default(returns.refund_shipping)
    .meta({
      description:
        "Whether the delivery charge is refunded when every unit comes back, at least one after its " +
        "delivery. Applies to orders placed after a change",
    }),
  pickup: z.boolean().default(returns.pickup).meta({
    description: "Whether the shop collects what comes back",
  }),
});
export type ReturnSettings = z.output<typeof ReturnSettings>;
