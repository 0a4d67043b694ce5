import * as z from "zod";
import type { NewLine } from "#shared/domain/cart/cart-input.ts";
import { cartLimits } from "#shared/domain/cart/cart.ts";
import { Sku } from "#shared/domain/base/names.ts";
import {
  DestinationQuery,
  ShippingMethod,
  ShippingQuote,
} from "#shared/domain/delivery/shipping.ts";
import { PaymentPlans, depositOf, paymentPlans } from "#shared/domain/pricing/payment-plans.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { type Buyer, priceLines, readFacts } from "#shared/application/cart/cart-facts.ts";
import type { Table } from "#shared/storage/table.ts";
import { buyerOf } from "./buyer.ts";
import { ReadHeaders } from "./cart-headers.ts";
import type { Deps } from "./deps.ts";
import { destinationOf } from "./destination.ts";
import { draftLines, unknownSku } from "./draft-lines.ts";
import { recheckingRefusal } from "./recheck-refusal.ts";
import { openCart } from "./open-cart.ts";

const item = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?::[0-9]{1,9})?";

const QuoteItems = z
  .string()
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

/** Each delivery method has the payment plans of the total with its price. */
const QuoteWithPlans = ShippingQuote.extend({
  methods: z.array(ShippingMethod.extend({ payment_plans: PaymentPlans })),
}).meta({ id: "ShippingQuote" });

export const quoteShipping = route({
  method: "GET",
  path: "/shipping/quote",
  summary: "List delivery methods for a destination",
  description:
    "Quotes delivery of the cart, or of `items`. A destination that the shop does not serve returns 200 with " +
    "`serviceable: false`.",
  access: optionalCustomer,
  request: {
    headers: ReadHeaders,
    query: DestinationQuery.extend({ items: QuoteItems.optional() }),
  },
  response: { status: 200, data: QuoteWithPlans },
  open: (call, deps: Deps) => openCart(call, deps),
  async handle(call, deps) {
    const { opened, query, now } = call;
    const { cart, settings } = opened;
    const choices = { settings, destination: destinationOf(query, settings), method: null, now };
    const { items } = query;
    if (items) {
      const priced = await recheckingRefusal(deps, ({ catalogReads: { current } }) =>
        priceItems(items, current, buyerOf(call.actor), choices),
      );
      return { data: quoteOf(priced, settings) };
    }
    const lines = cart?.lines ?? [];
    const coupon = cart?.coupon_code ?? null;
    const facts = await readFacts(deps.catalogReads.current, lines, coupon, buyerOf(call.actor));
    return { data: quoteOf(priceLines(lines, facts, choices), settings) };
  },
});

/** The quote of priced lines, with the payment plans of each delivery method. */
function quoteOf(
  { lines, pricing: { quote, totals } }: ReturnType<typeof priceLines>,
  { payments }: Pick<Settings, "payments">,
): z.input<typeof QuoteWithPlans> {
  const items = lines.map(({ line }) => line);
  const methods = quote!.methods.map((method) => {
    const total = totals.grand_total + method.amount;
    return { ...method, payment_plans: paymentPlans(total, depositOf(total, items, payments)) };
  });
  return { ...quote!, methods };
}

/** Prices the items in the query. Throws AppError `validation_failed` on `items`. */
async function priceItems(
  items: readonly NewLine[],
  getMany: Table["getMany"],
  buyer: Buyer,
  choices: Parameters<typeof priceLines>[2],
) {
  const drafts = await draftLines(getMany, [], items, choices.now).catch((error: unknown) => {
    throw namingItem(items, error);
  });
  const lines = drafts.map(({ line }) => line);
  const priced = priceLines(lines, await readFacts(getMany, lines, null, buyer), choices);
  for (const { line, requirement } of priced.lines) {
    if (requirement && line.kind !== "sofa") {
      throw invalidField("items", `${line.sku}: ${unknownSku}`);
    }
  }
  return priced;
}

/** The error on `items` that names the item refused by `draftLines`; other errors unchanged. */
function namingItem(items: readonly NewLine[], error: unknown): unknown {
  if (!(error instanceof AppError) || !error.refusal.errors) return error;
  const [first] = Object.entries(error.refusal.errors);
  if (!first) return error;
  const [path, [sentence = ""]] = first;
  const item = items[Number(path.split(".")[1])];
  if (!item) return error;
  const name = item.kind === "sku" ? item.sku : item.sofa;
  return invalidField("items", `${name}: ${sentence}`);
}

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

export const routes = [quoteShipping];
