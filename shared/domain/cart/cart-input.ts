import * as z from "zod";
import { cartLimits } from "./cart-limits.ts";
import { ChosenConfiguration, type Configuration } from "../sofa/configuration.ts";
import { CouponCode } from "../pricing/coupon.ts";
import { Id } from "../base/ids.ts";
import { IdOrSlug, Sku } from "../base/names.ts";
import { MultilineText } from "../base/text.ts";
import { MachineText, withoutSpaces } from "../base/machine-text.ts";

/** A new cart line from a request. */
export type NewLine =
  | { kind: "sku"; sku: Sku; quantity: number }
  | {
      kind: "sofa";
      /** Id or slug. */
      sofa: string;
      configuration: Configuration;
      quantity: number;
      upload_ids: string[];
      note: string | null;
    };

/** A change of an existing line; quantity 0 removes it. */
export interface LineChange {
  kind: "change";
  id: string;
  quantity: number;
  configuration: Configuration | null;
}

const newLine = {
  sku: Sku.optional(),
  sofa: IdOrSlug("sofa").optional(),
  configuration: ChosenConfiguration.optional(),
  upload_ids: z.array(Id("upl")).max(cartLimits.uploadsPerLine).optional(),
  note: MultilineText(500).nullish(),
};

type LineMembers = z.output<z.ZodObject<typeof newLine>> & { quantity: number };

/** Returns `undefined` unless the members describe exactly one kind of line. */
function newLineOf(members: LineMembers): NewLine | undefined {
  const { sku, sofa, configuration, upload_ids, note, quantity } = members;
  if (sku !== undefined) {
    return hasAny(sofa, configuration, upload_ids, note)
      ? undefined
      : { kind: "sku", sku, quantity };
  }
  if (sofa === undefined) return undefined;
  return {
    kind: "sofa",
    sofa,
    configuration: configuration ?? {},
    quantity,
    upload_ids: upload_ids ?? [],
    note: note ?? null,
  };
}

/** Returns `undefined` if the request has members that only a new line may have. */
function changeOf(id: string, members: LineMembers): LineChange | undefined {
  const { sku, sofa, upload_ids, note, quantity, configuration } = members;
  return hasAny(sku, sofa, upload_ids, note)
    ? undefined
    : { kind: "change", id, quantity, configuration: configuration ?? null };
}

function hasAny(...members: unknown[]): boolean {
  return members.some((member) => member !== undefined && member !== null);
}

/** A new line: `{sku, quantity}` for a SKU, `{sofa, configuration, quantity, …}` for a sofa. */
export const NewLineInput = z
  .strictObject({ ...newLine, quantity: z.int().min(1).max(cartLimits.quantity) })
  .transform((members, context): NewLine => {
    const line = newLineOf(members);
    return line ?? refuse(context, "sku", "Give either a sku, or a sofa with its configuration.");
  });

/** A new line, or `{id, quantity, configuration?}` for a line in the cart. */
export const LineWriteInput = z
  .strictObject({
    id: Id("line").optional(),
    ...newLine,
    quantity: z.int().min(0).max(cartLimits.quantity),
  })
  .transform(({ id, ...members }, context): NewLine | LineChange => {
    const line = id === undefined ? newLineOf(members) : changeOf(id, members);
    if (!line) {
      return refuse(context, "sku", "Give one of an id, a sku, or a sofa with its configuration.");
    }
    return line.kind !== "change" && line.quantity === 0
      ? refuse(context, "quantity", "The quantity field must be at least 1.")
      : line;
  });

function refuse(context: z.RefinementCtx, path: string, message: string): never {
  context.addIssue({ code: "custom", path: [path], message });
  return z.NEVER;
}

const CouponChoice = CouponCode.nullish().meta({
  description: "null removes the coupon from the cart",
});

/** `POST /cart`: creates or replaces the cart. */
export const CartInput = z.strictObject({
  items: z.array(NewLineInput).max(cartLimits.lines),
  coupon: CouponChoice,
});
export type CartInput = z.output<typeof CartInput>;

/** `PATCH /cart/items`: applies all changes or none. */
export const CartItemsInput = z.strictObject({
  items: z.array(LineWriteInput).min(1).max(cartLimits.lines),
  coupon: CouponChoice,
});
export type CartItemsInput = z.output<typeof CartItemsInput>;

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
