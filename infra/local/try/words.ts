import type { Order } from "#shared/domain/order/view/buyer-order.ts";

export interface Data<Content> {
  data: Content;
}

export interface List<Item> extends Data<Item[]> {
  meta: { total?: number };
}

/** @param amount in minor units */
export const shownAmount = (amount: number, currency: string): string =>
  (amount / 100).toLocaleString("en-IN", { style: "currency", currency });

/** What is paid, and what is due when. */
export const scheduleOf = (order: Pick<Order, "payment_schedule" | "currency">): string =>
  order.payment_schedule
    .map(({ code, amount, state, due }) => {
      const when = state === "paid" ? "paid" : `due ${due.replaceAll("_", " ")}`;
      return `${code === "full" ? "" : `${code} `}${shownAmount(amount, order.currency)} ${when}`;
    })
    .join(", ");

export const sizeOf = (file: Buffer): string => `${Math.round(file.length / 1024)} KB`;
