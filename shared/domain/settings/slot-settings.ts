import * as z from "zod";
import { Code } from "../base/names.ts";
import { Day, Text } from "../base/text.ts";
import { ClockTime, requireDistinctCodes, ShippingMethodCode } from "./zone-settings.ts";

export const Weekday = z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
export type Weekday = z.output<typeof Weekday>;

/** The most orders that one window of one day can take. Bounds the size of the row that counts them. */
const mostPlaces = 200;

export const Capacity = z
  .int()
  .min(0)
  .max(mostPlaces)
  .meta({ description: "Orders that the window takes on one day in one zone" });

export const SlotWindow = z
  .strictObject({
    code: Code,
    label: Text(60),
    from: ClockTime,
    to: ClockTime,
    capacity: Capacity,
  })
  .refine(({ from, to }) => from < to, {
    path: ["to"],
    message: "The to field must be after the from field.",
  });
export type SlotWindow = z.output<typeof SlotWindow>;

/** When the shop delivers in a zone. */
export const ZoneSlots = z
  .strictObject({
    weekdays: z.array(Weekday).min(1).max(7),
    windows: z.array(SlotWindow).min(1).max(8),
    lead_days: z.int().min(0).max(60).meta({
      description: "Days before a delivery by whose cut-off its order must be confirmed",
    }),
    horizon_days: z.int().min(1).max(60).meta({ description: "Days ahead that can be chosen" }),
    closed_on: z.array(Day).max(100),
    change_until_hours: z.int().min(0).max(336).meta({
      description: "Hours before the window until which the buyer may change it",
    }),
  })
  .superRefine(({ windows, lead_days, horizon_days }, context) => {
    requireDistinctCodes(["windows"], windows, context, "window");
    if (horizon_days >= lead_days) return;
    context.addIssue({
      code: "custom",
      path: ["horizon_days"],
      message: "The horizon days field must be at least the lead days field.",
    });
  });
export type ZoneSlots = z.output<typeof ZoneSlots>;

/** Delivery days that buyers choose. */
export const SlotSettings = z
  .strictObject({
    enabled: z.boolean(),
    required: z.boolean().meta({ description: "Whether checkout needs a chosen day" }),
    methods: z.array(ShippingMethodCode).max(4),
    cut_off: ClockTime.meta({
      description:
        "Until this time, orders count as confirmed today, in the store's timezone. Later ones count as of tomorrow",
    }),
    zones: z.record(Code, ZoneSlots).meta({ description: "By code of the delivery zone" }),
  })
  .superRefine(({ cut_off, zones }, context) => {
    for (const [code, { lead_days, windows }] of Object.entries(zones)) {
      for (const [index, { from }] of windows.entries()) {
        if (lead_days > 0 || from >= cut_off) continue;
        context.addIssue({
          code: "custom",
          path: ["zones", code, "windows", index, "from"],
          message: "A window of the same day must not begin before the cut-off.",
        });
      }
    }
  });
export type SlotSettings = z.output<typeof SlotSettings>;
