import * as z from "zod";
import { CartToken } from "#shared/auth/opaque-tokens.ts";
import { CartMerge } from "#shared/domain/cart/cart-merge.ts";
import { type Customer, PublicCustomer } from "#shared/domain/customer/customer.ts";
import { Timestamp } from "#shared/domain/base/text.ts";

/** Response of login and registration. */
export const SignedIn = z.object({
  token: z.string().meta({ description: "Send it as `Authorization: Bearer …`" }),
  token_type: z.literal("Bearer"),
  expires_at: Timestamp,
  customer: PublicCustomer,
  merge: CartMerge.optional().meta({
    description: "Present only if the request named a guest's cart",
  }),
});
export type SignedIn = z.output<typeof SignedIn>;

/** Header naming the guest's cart that is merged into the customer's cart. */
export const CartHeaders = z.object({ "x-cart-token": CartToken.optional() });

/** @param merge undefined if the request named no guest's cart */
export function signedIn(
  { token, expires_at }: Pick<SignedIn, "token" | "expires_at">,
  customer: Customer,
  merge: CartMerge | undefined,
): SignedIn {
  return { token, token_type: "Bearer", expires_at, customer, ...(merge && { merge }) };
}
