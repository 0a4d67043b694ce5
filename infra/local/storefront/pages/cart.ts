import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { type Cart, cart, loadCart, tryCoupon, writeLines } from "../cart.ts";
import { money } from "../format.ts";
import { Action, Form, field } from "../forms.ts";
import { facts, line } from "../goods.ts";
import { type View, usePage, view } from "../page.ts";
import { explain } from "../shop.ts";
import { Delivery } from "./delivery.ts";

export const CartPage = () => usePage(loadCart, "Cart", () => [view`<h1>Your cart</h1>`, filled(cart.value)]);

export const emptyCart = view`
  <p class="notice">It is empty. <a href="/search">See all furniture</a> or <a href="/sofas">make a sofa</a>.</p>`;

function filled(cart: Cart | null): View {
  if (!cart || cart.items.length === 0) return emptyCart;
  // The delivery time may also be chosen at checkout.
  const isReady = cart.requirements.every(({ code }) => code.startsWith("slot_"));
  return view`
    <div class="columns right">
      <div>
        <ul class="lines">${cart.items.map((item) => view`<${Line} key=${item.id} item=${item} />`)}</ul>
        <${Delivery} />
      </div>
      <aside aria-label="Total">
        ${totals(cart)}
        ${coupon(cart.coupon)}
        ${cart.requirements.map(({ code, message }) => view`<p key=${code} class="problem">${message}</p>`)}
        ${isReady && view`<a class="primary" href="/checkout">Check out</a>`}
      </aside>
    </div>`;
}

function Line({ item }: { item: Cart["items"][number] }): View {
  const [problem, setProblem] = useState("");
  const { id, kind, slug, name, quantity, price_changed, line_total } = item;
  const set = async (quantity: number) => {
    setProblem("");
    await writeLines([{ id, quantity }]).catch((refused: unknown) => setProblem(explain(refused)));
  };
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(currentTarget.valueAsNumber || 1);
  const more = view`
    ${price_changed && view`<p class="hint">It was ${money(price_changed.from)} when you put it in.</p>`}
    ${problem && view`<p role="alert" class="error">${problem}</p>`}
    <label>Quantity <input type="number" min="1" max="99" ...${{ value: quantity, onChange }} /></label>
    ${" "}<${Action} label="Remove" about=${name} run=${() => writeLines([{ id, quantity: 0 }])} />`;
  const href = `/${kind === "sofa" ? "sofas" : "products"}/${slug}`;
  return line({
    ...item,
    name: slug === null ? name : view`<a href=${href}>${name}</a>`,
    amount: money(line_total),
    more,
  });
}

export function totals({ totals, currency }: { totals: Schemas["Totals"]; currency: string }): View {
  const { items_subtotal, discount, shipping, tax, grand_total, provisional } = totals;
  return view`
    <div class="totals" role="status">
      ${facts({
        Goods: money(items_subtotal, currency),
        Discount: discount > 0 && `−${money(discount, currency)}`,
        Delivery: shipping !== null && (shipping === 0 ? "Free" : money(shipping, currency)),
        [provisional ? "Total before delivery" : "Total"]: money(grand_total, currency),
      })}
      <small>Includes ${money(tax, currency)} of GST</small>
    </div>`;
}

function coupon(applied: Cart["coupon"]): View {
  const submit = async ({ code }: { code: string }) => (await tryCoupon(code)).message;
  const takeOff = async () => (await tryCoupon(null)).message;
  if (applied) return view`<p>Coupon <b>${applied.code}</b> <${Action} label="Take it off" run=${takeOff} /></p>`;
  return view`
    <details>
      <summary>I have a coupon</summary>
      <${Form} button="Apply" submit=${submit}>${field({ name: "code", label: "Code", required: true })}<//>
    </details>`;
}
