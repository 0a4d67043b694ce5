import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { day, moment, money, span, words } from "../format.ts";
import { Action } from "../forms.ts";
import { facts, line, units } from "../goods.ts";
import { type View, loaded, useAnswer, usePage, view } from "../page.ts";
import { address } from "../router.ts";
import { answerOf, orderProof, orderTokens, shop } from "../shop.ts";
import { SlotPicker } from "./delivery.ts";
import { Pay } from "./pay.ts";

interface Props {
  order: Schemas["Order"];
  /** Reads the order once more. */
  again: () => void;
}

/** The page that letters open. A guest's letter has the order's token behind `#`, which no server sees. */
export function Order({ id = "" }): View {
  useState(() => {
    const token = new URLSearchParams(address.value.hash.slice(1)).get("token");
    if (token === null) return;
    orderTokens.value = { ...orderTokens.value, [id]: token };
    history.replaceState(null, "", address.value.pathname);
  });
  return usePage(
    () => shop.GET("/api/v1/orders/{id}", { params: proved(id) }),
    ({ data }) => `Order ${data.number}`,
    ({ data }, again) => shown({ order: data, again }),
  );
}

/** Names an order, and proves that it is this buyer's. */
const proved = (id: string) => ({ path: { id }, header: orderProof(id) });

/** How and when it comes, as orders and what anybody may track say it. */
export const promise = ({ slot, promised }: Pick<Schemas["TrackedOrder"], "slot" | "promised">): string =>
  slot ? `${day(slot.date, "long")}, ${slot.label}` : span(promised);

function shown({ order, again }: Props): View {
  const { number, status, totals, currency, items, allowed_actions, shipping, slot, addresses } = order;
  const { name, line1, line2, city, state, postal_code } = addresses.shipping;
  const amount = (value: number) => value > 0 && money(value, currency);
  const can = (action: Schemas["OrderAction"]) => allowed_actions.includes(action);
  const parts = order.payment_schedule.map((part) => [
    words(part.code),
    `${money(part.amount, currency)}, ${words(part.state).toLowerCase()}`,
  ]);
  return view`
    <p class="eyebrow">${words(status)}</p>
    <h1>Order ${number}</h1>
    <p>${shipping.label}, ${promise({ slot, promised: shipping.promised })}</p>
    ${can("pay") && view`<${Pay} order=${order} again=${again} />`}
    ${(can("choose_slot") || can("change_slot")) && view`<${Slot} order=${order} again=${again} />`}
    <div class="columns right">
      <div>
        <ul class="lines">
          ${items.map((item) => line({ ...item, name: units(item), amount: money(item.line_total, currency) }))}
        </ul>
        ${timeline(order.timeline)}
      </div>
      <aside aria-label="Summary">
        ${facts({
          Goods: amount(totals.items_subtotal),
          Discount: amount(totals.discount),
          Delivery: amount(totals.shipping),
          Total: money(totals.grand_total, currency),
          Paid: amount(totals.paid),
          "To pay": amount(totals.due),
        })}
        ${parts.length > 1 && facts(Object.fromEntries(parts))}
        <address>${[name, line1, line2, city, state, postal_code].filter(Boolean).join(", ")}</address>
        <${Documents} id=${order.id} />
        ${can("cancel") && cancelling({ order, again })}
      </aside>
    </div>`;
}

export const timeline = (entries: readonly { at: string; message: string }[]): View => view`
  <section>
    <h2>What happened</h2>
    <ol class="timeline">
      ${entries.map(({ at, message }) => view`<li><time dateTime=${at}>${moment(at)}</time> ${message}</li>`)}
    </ol>
  </section>`;

/** A confirmation is drawn when it is first asked for; until then its address answers 202. */
async function openDrawn(event: MouseEvent): Promise<void> {
  const { href } = event.currentTarget as HTMLAnchorElement;
  if (!href.includes("/documents/")) return;
  event.preventDefault();
  const isDue = async () => (await fetch(href, { redirect: "manual" })).status === 202;
  while (await isDue()) await new Promise((resolve) => setTimeout(resolve, 1_000));
  location.assign(href);
}

function Documents({ id }: { id: string }): View {
  const { data } = useAnswer(() => shop.GET("/api/v1/orders/{id}/documents", { params: proved(id) }));
  return view`
    <ul>
      ${data?.data.map(
        ({ type, number, url }) =>
          view`<li key=${url}><a href=${url} onClick=${openDrawn}>${words(type)} ${number} (PDF)</a></li>`,
      )}
    </ul>`;
}

function Slot({ order: { id, slot }, again }: Props): View {
  const answer = useAnswer(() => shop.GET("/api/v1/orders/{id}/slots", { params: proved(id) }));
  const choose = (body: Schemas["ChosenSlot"]) =>
    answerOf(shop.PUT("/api/v1/orders/{id}/slot", { params: proved(id), body })).then(again);
  return view`
    <details open=${slot === null}>
      <summary>${slot ? "Choose another delivery time" : "Choose a delivery time"}</summary>
      ${loaded(answer, ({ data }) => view`<${SlotPicker} days=${data.days} chosen=${slot} choose=${choose} />`)}
    </details>`;
}

function cancelling({ order: { id }, again }: Props): View {
  const run = () => answerOf(shop.POST("/api/v1/orders/{id}/cancel", { params: proved(id) })).then(again);
  return view`
    <details>
      <summary>Cancel the order</summary>
      <p>What you paid comes back to you.</p>
      <${Action} label="Cancel it" run=${run} />
    </details>`;
}
