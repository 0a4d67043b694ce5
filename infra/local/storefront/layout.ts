import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { itemCount } from "./cart.ts";
import { type View, view } from "./page.ts";
import { address } from "./router.ts";
import { SearchBox } from "./search-box.ts";
import { bootstrap, session } from "./shop.ts";

export function Layout({ children }: { children: View }): View {
  const { store, announcement, menus } = bootstrap.value as Schemas["Bootstrap"];
  const { text, link } = announcement ?? {};
  return view`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      ${text && view`<p class="announcement">${text} ${link && view`<a href=${link.href}>${link.label}</a>`}</p>`}
      <div class="bar">
        <a class="logo" href="/">${store.name}</a>
        <${SearchBox} />
        <nav aria-label="You">
          <a href=${session.value ? "/account" : "/sign-in"}>${session.value ? "Account" : "Sign in"}</a>
          <a href="/cart">Cart <b class="count">${itemCount.value}</b></a>
        </nav>
      </div>
      <${Menu} key=${address.value.href} items=${menus.header} />
    </header>
    <main id="main" tabindex="-1">${children}</main>
    <footer>
      ${[...menus.footer, { label: "Legal", href: "/", children: menus.legal }].map(
        ({ label, children }) => view`
          <nav key=${label} aria-label=${label}><h2>${label}</h2>${links(children)}</nav>`,
      )}
    </footer>`;
}

type MenuItem = Omit<Schemas["MenuItem"], "children"> & { children: unknown[] };

const links = (items: readonly MenuItem[]): View => view`
  <ul>
    ${items.map(
      ({ label, href, children }) => view`
        <li key=${label}><a href=${href}>${label}</a>${children.length > 0 && links(children as MenuItem[])}</li>`,
    )}
  </ul>`;

/** Panels of one name close each other, and another page closes them all. On a small screen a button opens the menu. */
function Menu({ items }: { items: readonly MenuItem[] }): View {
  const [isOpen, setOpen] = useState(false);
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent) => {
    if (key === "Escape") (currentTarget as HTMLDetailsElement).open = false;
  };
  const item = ({ label, href, children }: MenuItem) =>
    children.length === 0
      ? view`<a href=${href}>${label}</a>`
      : view`
        <details name="menu" onKeyDown=${onKeyDown}>
          <summary>${label}</summary>
          ${links(children as MenuItem[])}
        </details>`;
  return view`
    <nav class="menu" aria-label="Shop">
      <button type="button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Menu</button>
      <ul class=${isOpen ? "open" : ""}>${items.map((each) => view`<li key=${each.label}>${item(each)}</li>`)}</ul>
    </nav>`;
}
