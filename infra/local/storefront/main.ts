import { type VNode, render } from "preact";
import { hasCart, loadCart } from "./cart.ts";
import { Layout } from "./layout.ts";
import { type View, notFound, view } from "./page.ts";
import { address, followLinks, match } from "./router.ts";
import { explain, start } from "./shop.ts";
import { Account } from "./pages/account.ts";
import { CartPage } from "./pages/cart.ts";
import { Checkout } from "./pages/checkout.ts";
import { Faqs, Home, Page, Stories, Story } from "./pages/content.ts";
import { Enquiry } from "./pages/enquiry.ts";
import { List } from "./pages/list.ts";
import { Mailed } from "./pages/mailed.ts";
import { Order } from "./pages/order.ts";
import { Product } from "./pages/product.ts";
import { Quote } from "./pages/quote.ts";
import { ForgotPassword, Register, ResetPassword, SignIn } from "./pages/sign-in.ts";
import { Materials, Sofa } from "./pages/sofa.ts";
import { Track, Tracked } from "./pages/track.ts";

/** Every page by its path; the first that matches is shown. The shop's letters and menus link to all of them. */
const pages: Readonly<Record<string, (params: never) => View>> = {
  "/": Home,
  "/products": List,
  "/products/:slug": Product,
  "/sofas": List,
  "/sofas/materials": Materials,
  "/sofas/:slug": Sofa,
  "/search": List,
  "/categories/:slug": List,
  "/cart": CartPage,
  "/checkout": Checkout,
  "/track": Track,
  "/orders/track/:number": Tracked,
  "/orders/:id": Order,
  "/quotes/:id": Quote,
  "/account": Account,
  "/account/:tab": Account,
  "/sign-in": SignIn,
  "/register": Register,
  "/forgot-password": ForgotPassword,
  "/reset-password": ResetPassword,
  "/verify-email": Mailed,
  "/newsletter/confirm": Mailed,
  "/notify/confirm": Mailed,
  "/unsubscribe": Mailed,
  "/contact": Enquiry,
  "/pages/:slug": Page,
  "/interiors": Stories,
  "/interiors/:slug": Story,
  "/faqs": Faqs,
};

function shownPage(path: string): View {
  for (const [pattern, Shown] of Object.entries(pages)) {
    const params = match(pattern, path);
    if (params) return view`<${Shown} key=${path} ...${params} />`;
  }
  return notFound;
}

const App = () => view`<${Layout}>${shownPage(address.value.pathname)}<//>`;

followLinks();
try {
  await start();
  render(view`<${App} />` as VNode, document.body);
  // Without it the page is whole. If the session has ended elsewhere, the buyer goes on as a guest.
  if (hasCart()) await loadCart().catch(() => {});
} catch (problem) {
  document.body.textContent = explain(problem);
}
