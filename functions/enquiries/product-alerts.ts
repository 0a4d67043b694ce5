import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { confirmAlert, requestAlert } from "#shared/application/marketing/request-alert.ts";
import { linkIsDead } from "#shared/application/identity/mail-link.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { AlertInput, anyVariant, priceOfVariants } from "#shared/domain/marketing/product-alert.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, optionalCustomer, route } from "#shared/http/route.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";
import { isOwnEmail } from "./own-email.ts";

const bySlug = z.object({ slug: Slug });

export const createAlert = route({
  method: "POST",
  path: "/products/{slug}/notify",
  summary: "Request a product alert",
  description:
    "Announces by mail when the product is back in stock, or when its price drops. Mails a link " +
    "that confirms the address; an address that is not proven gets at most three a day, answers to leads and " +
    "requests for quotes included. While a link of a product and kind is " +
    "not used, the next follows after a day. " +
    "For a signed-in customer's own verified email the alert starts at once. If the item is in stock " +
    "when the alert starts, the mail that says so is sent at once. The response is the same whether or " +
    "not the address has an alert.",
  access: optionalCustomer,
  limit: "notify",
  request: {
    params: bySlug,
    body: AlertInput.meta({
      example: { email: "asha@example.com", sku: null, kind: "back_in_stock" },
    }),
  },
  response: { status: 202, data: MessageResponse },
  errors: ["not_found"],
  first: (
    { actor, body, params },
    shop: Shop<"table" | "randomBytes" | "rates" | "settings", "store">,
  ) =>
    Promise.all([shop.table.get(PublishedProducts, params), isOwnEmail(actor, body.email, shop)]),
  async handle({ body, first: [product, isProven], now }, shop) {
    if (!product) {
      throw new AppError("not_found", { message: "There is no product with this slug." });
    }
    const { email, kind, sku } = body;
    const meant = product.variants.find((variant) => variant.sku === sku);
    const variant_id = sku === null ? anyVariant : (meant?.id ?? "");
    const price = priceOfVariants(product, [variant_id]);
    if (price === undefined) throw invalidField("sku", "The product has no variant with this SKU.");
    const at = now.toISOString();
    const request = { email, product_id: product.id, kind, variant_id, price, at, isProven };
    await requestAlert(request, shop, now);
    const message =
      "Thank you. If the address still has to be confirmed, we have mailed it a link.";
    return { data: { message } };
  },
});

export const confirmProductAlert = route({
  method: "POST",
  path: "/notify/confirm",
  summary: "Confirm a product alert",
  description: "Requires the token of the mailed link, which works once, within seven days.",
  access: anyone,
  limit: "verify_email",
  request: { body: MailedTokenInput },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { table }: Shop<"table">) =>
    findProof(table, body.token, { purpose: "verify_email", guard: "customer" }, now),
  async handle({ body: { token }, first: proof, now }, { table }) {
    if (!proof) throw linkIsDead();
    await confirmAlert(token, proof, { table, now });
    return { data: { message: "We will let you know." } };
  },
});

export const routes = [createAlert, confirmProductAlert];
