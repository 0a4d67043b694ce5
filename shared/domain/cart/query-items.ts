import { MachineText, withoutSpaces } from "../base/machine-text.ts";
import { Sku } from "../base/names.ts";
import type { NewLine } from "./cart-input.ts";
import { cartLimits } from "./cart-limits.ts";

const item = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?::[0-9]{1,9})?";

/** The query member `items`. */
export const QueryItems = MachineText(cartLimits.lines * 100)
  .overwrite(withoutSpaces)
  // Clients build this list, so the description shows its syntax.
  .regex(
    new RegExp(`^${item}(?:,${item}){0,${cartLimits.lines - 1}}$`),
    `Write at most ${cartLimits.lines} SKUs or slugs separated by commas, such as ABC:2,saanjh-sofa.`,
  )
  .transform((list) => list.split(",").map(itemOf))
  .refine(
    (items) => items.every(({ quantity }) => quantity >= 1 && quantity <= cartLimits.quantity),
    {
      message: `The quantity of an item must be at least 1 and at most ${cartLimits.quantity}.`,
    },
  )
  .meta({
    description:
      "Items to use instead of the cart: SKUs, or slugs of sofas in their default " +
      "configuration, each with `:quantity` unless it is 1",
    example: "ACH-KAVERI-LOUNGE-OAT:2,saanjh-sofa",
  });

function itemOf(written: string): NewLine {
  const [name = "", quantity = "1"] = written.split(":");
  if (Sku.safeParse(name).success) return { kind: "sku", sku: name, quantity: Number(quantity) };
  return {
    kind: "sofa",
    sofa: name,
    configuration: {},
    quantity: Number(quantity),
    upload_ids: [],
    note: null,
  };
}
