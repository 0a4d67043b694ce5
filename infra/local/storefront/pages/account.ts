import type { ComponentType } from "preact";
import type { Schemas } from "furniture-storefront-client";
import { cart } from "../cart.ts";
import { day, money, words } from "../format.ts";
import { Action, Form, addressFields, field, nameField, phoneField } from "../forms.ts";
import { card, line } from "../goods.ts";
import { type View, usePage, view } from "../page.ts";
import { navigate } from "../router.ts";
import { answerOf, session, shop } from "../shop.ts";
import { SignIn } from "./sign-in.ts";

const tabs: Readonly<Record<string, readonly [label: string, tab: ComponentType]>> = {
  orders: ["Orders", Orders],
  addresses: ["Addresses", Addresses],
  wishlist: ["Wishlist", Wishlist],
};

export function Account({ tab = "orders" }): View {
  const [title, Tab] = tabs[tab] ?? ["Orders", Orders];
  if (!session.value) return view`<${SignIn} />`;
  return view`
    <h1>Hello, ${session.value.customer.name}</h1>
    <nav class="tabs" aria-label="Account">
      ${Object.entries(tabs).map(
        ([code, [label]]) =>
          view`<a key=${code} href="/account/${code}" aria-current=${code === tab ? "page" : undefined}>${label}</a>`,
      )}
      <${Action} label="Sign out" run=${signOut} />
    </nav>
    <h2 class="hidden">${title}</h2>
    <${Tab} />`;
}

async function signOut(): Promise<void> {
  await shop.POST("/api/v1/auth/logout");
  session.value = null;
  cart.value = null;
  navigate("/");
}

function Orders(): View {
  return usePage(
    () => shop.GET("/api/v1/orders"),
    "Orders",
    ({ data }) => view`
      ${data.length === 0 && view`<p>Nothing yet. What you ordered as a guest joins once your email is confirmed.</p>`}
      <ul class="lines">
        ${data.map(({ id, number, status, items, placed_at, grand_total, currency }) =>
          line({
            image: items[0]?.image ?? null,
            name: view`<a href="/orders/${id}">${items.map(({ name }) => name).join(", ")}</a>`,
            amount: money(grand_total, currency),
            more: view`<p>${words(status)}. ${number}, ${day(placed_at)}</p>`,
          }),
        )}
      </ul>`,
  );
}

function Addresses(): View {
  const { name, phone } = session.value?.customer ?? {};
  return usePage(
    () => shop.GET("/api/v1/addresses"),
    "Addresses",
    ({ data }, again) => {
      const submit = async (body: Schemas["NewAddressInput"], form: HTMLFormElement) => {
        await answerOf(shop.POST("/api/v1/addresses", { body }));
        form.reset();
        again();
      };
      return view`
        <div class="columns right">
          <ul class="tiles wide">${data.map((each) => savedAddress(each, again))}</ul>
          <section>
            <h2>A new address</h2>
            <${Form} button="Save" submit=${submit}>
              ${field({ name: "label", label: "Label", hint: "Such as “Home”" })}
              ${nameField(name)}${phoneField(phone)}${addressFields()}
            <//>
          </section>
        </div>`;
    },
  );
}

function savedAddress(address: Schemas["Address"], again: () => void): View {
  const { id, label, name, line1, line2, city, postal_code, is_default } = address;
  const params = { path: { id } };
  const prefer = () => answerOf(shop.POST("/api/v1/addresses/{id}/default", { params })).then(again);
  const remove = () => answerOf(shop.DELETE("/api/v1/addresses/{id}", { params })).then(again);
  return view`
    <li key=${id}>
      <h2>${label ?? city}</h2>
      <address>${[name, line1, line2, city, postal_code].filter(Boolean).join(", ")}</address>
      ${is_default ? "Used first" : view`<${Action} label="Use first" about=${line1} run=${prefer} />`}
      ${" "}<${Action} label="Remove" about=${line1} run=${remove} />
    </li>`;
}

function Wishlist(): View {
  return usePage(
    () => shop.GET("/api/v1/wishlist"),
    "Wishlist",
    ({ data }, again) => {
      const remove = (product: string) =>
        answerOf(shop.DELETE("/api/v1/wishlist/{product}", { params: { path: { product } } })).then(again);
      return view`
        ${data.length === 0 && view`<p>Nothing on it yet. Every piece has a button for it.</p>`}
        <ul class="cards">
          ${data.map(
            ({ product_id, name, card: shown, price_dropped }) => view`
              <li key=${product_id}>
                ${shown ? card(shown) : view`<p>${name} is no longer made.</p>`}
                ${price_dropped && view`<b>It costs less now.</b> `}
                <${Action} label="Take it off" about=${name} run=${() => remove(product_id)} />
              </li>`,
          )}
        </ul>`;
    },
  );
}
