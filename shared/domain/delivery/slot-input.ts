import { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import { Code } from "../base/names.ts";
import { Day } from "../base/text.ts";
import { Country, PostalCode, readPostalCode } from "../contact/postal-code.ts";

/** A slot that a cart is to hold. */
export interface WantedSlot {
  readonly date: Day;
  readonly window: Code;
  readonly postal_code: PostalCode | undefined;
  readonly country: Country | undefined;
  readonly shipping_method: ShippingMethodCode;
}

/** `PUT /cart/slot`. Becomes null if the slot is released. */
export const SlotInput = z
  .strictObject({
    date: Day.nullable().meta({ description: "null releases the slot" }),
    window: Code.optional().meta({ description: "Required with a date" }),
    postal_code: PostalCode.optional().meta({
      description: "Required with a date where the country has postal codes",
    }),
    country: Country.optional().meta({ description: "Default: the store's country" }),
    shipping_method: ShippingMethodCode.optional().meta({ description: "Required with a date" }),
  })
  .transform((members, context): WantedSlot | null => {
    const { date, window, postal_code, shipping_method, country } = members;
    if (date === null) return null;
    if (window && shipping_method) {
      return { date, window, postal_code, shipping_method, country };
    }
    // Only the settings say which country is the store's. Most countries need a postal code.
    const needsCode =
      country === undefined || readPostalCode({ country, postal_code: null }).problem;
    const needed = { window, shipping_method, ...(needsCode && { postal_code }) };
    for (const [name, value] of Object.entries(needed)) {
      if (value !== undefined) continue;
      const message = `The ${name.replaceAll("_", " ")} field is required.`;
      context.addIssue({ code: "custom", path: [name], message });
    }
    return z.NEVER;
  });
