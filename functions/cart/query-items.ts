import * as z from "zod";
import type { NewLine } from "#shared/domain/cart/cart-input.ts";
import { cartLimits } from "#shared/domain/cart/cart-limits.ts";
import { Sku } from "#shared/domain/base/names.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type Buyer, priceLines, readFacts } from "#shared/application/cart/cart-facts.ts";
import type { Table } from "#shared/storage/table.ts";
import { buyerOf } from "#shared/application/cart/buyer.ts";
import type { Deps } from "./deps.ts";
import { draftLines, unknownSku } from "./draft-lines.ts";
import type { OpenedCart } from "#shared/application/cart/open-cart.ts";
import { recheckingRefusal } from "./recheck-refusal.ts";

const item = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}(?::[0-9]{1,9})?";

/** The query member `items`. */
export const QueryItems = z
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

/** The priced lines whose delivery is quoted: those of the items in the query, or else the cart's. */
export async function linesToDeliver(
  call: { readonly actor: Actor; readonly opened: OpenedCart },
  items: readonly NewLine[] | undefined,
  choices: Parameters<typeof priceLines>[2],
  deps: Deps,
): Promise<ReturnType<typeof priceLines>> {
  const buyer = buyerOf(call.actor);
  if (items) {
    return recheckingRefusal(deps, ({ catalogReads: { current } }) =>
      priceItems(items, current, buyer, choices),
    );
  }
  const { cart } = call.opened;
  const lines = cart?.lines ?? [];
  const coupon = cart?.coupon_code ?? null;
  const facts = await readFacts(deps.catalogReads.current, lines, coupon, buyer);
  return priceLines(lines, facts, choices);
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
