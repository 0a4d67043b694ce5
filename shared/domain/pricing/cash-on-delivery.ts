import type { Settings } from "../settings/settings.ts";

export type CodReason = "disabled" | "area" | "amount" | "product" | "made_to_order";

type LineReason = Extract<CodReason, "product" | "made_to_order">;

const sentences: Readonly<Record<Exclude<CodReason, LineReason>, string>> = {
  disabled: "Cash on delivery is currently not available.",
  area: "Cash on delivery is not offered at this address.",
  amount: "This order is above the limit for cash on delivery.",
};

const lineSentences: Readonly<Record<LineReason, (name: string) => string>> = {
  product: (name) => `${name} cannot be paid on delivery.`,
  made_to_order: (name) => `${name} is made to order and cannot be paid on delivery.`,
};

export type CodVerdict =
  | { readonly available: true; readonly max_amount: number }
  | {
      readonly available: false;
      /** The maximum total for cash on delivery if the order exceeds it; null for any other reason. */
      readonly max_amount: number | null;
      readonly reason: CodReason;
      readonly message: string;
    };

/** Whether an order may be paid by cash on delivery. */
export function judgeCod(order: {
  readonly settings: Settings["payments"]["cod"];
  readonly servedInZone: boolean;
  readonly grandTotal: number;
  readonly lines: readonly { name: string; cod_eligible: boolean; made_to_order: boolean }[];
}): CodVerdict {
  const { settings, servedInZone, grandTotal, lines } = order;
  const refuse = (reason: keyof typeof sentences, max_amount: number | null): CodVerdict => ({
    available: false,
    max_amount,
    reason,
    message: sentences[reason],
  });
  const refuseLine = (reason: LineReason, { name }: { name: string }): CodVerdict => ({
    available: false,
    max_amount: null,
    reason,
    message: lineSentences[reason](name),
  });
  if (!settings.enabled) return refuse("disabled", null);
  if (!servedInZone) return refuse("area", null);
  const excluded = lines.find(({ cod_eligible }) => !cod_eligible);
  if (excluded) return refuseLine("product", excluded);
  const made = lines.find(({ made_to_order }) => made_to_order);
  if (made && !settings.made_to_order_allowed) return refuseLine("made_to_order", made);
  if (grandTotal > settings.max_amount) return refuse("amount", settings.max_amount);
  return { available: true, max_amount: settings.max_amount };
}
