import * as z from "zod";

/**
 * Where a line's units are. Each ordered unit is in exactly one place, so the other members add up to `ordered` before
 * and after every step.
 *
 * Transitions: `open` ⇄ `packed` → `on_the_way` → `delivered` → `came_back`; `on_the_way` → `open` or `came_back`; `open`
 * and `packed` → `taken_off`.
 */
export const LineUnits = z
  .object({
    ordered: z.int(),
    open: z.int().meta({ description: "Still to be sent, and in no shipment yet" }),
    packed: z.int().meta({ description: "In a shipment that has not left" }),
    on_the_way: z.int().meta({ description: "Out for delivery, or the delivery failed" }),
    delivered: z.int(),
    taken_off: z.int().meta({ description: "Will never be sent" }),
    came_back: z.int().meta({ description: "Sent, and back at the shop for good" }),
  })
  .meta({
    id: "LineUnits",
    description: "Where the line's units are. The other members add up to `ordered`",
  });
export type LineUnits = z.output<typeof LineUnits>;
