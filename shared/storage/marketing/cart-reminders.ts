import { CartReminder } from "../../domain/marketing/cart-reminder.ts";
import { either, isNew, isNot } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "../staff/sessions.ts";
import { type Write, put } from "../writes.ts";

/** The last cart of which each customer was reminded. */
export const CartReminders = entity({
  name: "cart_reminder",
  notExported: "personal",
  schema: CartReminder,
  key: ({ customer }: { customer: string }) => ({
    pk: partitionOf("customer", customer),
    sk: "CARTREMINDER",
  }),
});

/** Records that a customer was reminded of a cart. The write is refused if this was already recorded. */
export const markReminded = (customer: string, reminder: CartReminder): Write =>
  put(CartReminders, { ...reminder, customer }, either(isNew, isNot("cart_id", reminder.cart_id)));
