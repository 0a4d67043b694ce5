import type { Schemas } from "furniture-storefront-client";
import { count, days, money } from "./format.ts";
import { type View, view } from "./page.ts";

type Picture = Pick<Schemas["PublicPicture"], "url" | "alt" | "width" | "height" | "color" | "variants">;

/**
 * A picture in the size that the page shows: browsers choose among the WebP copies. Its colour stands in until then.
 *
 * @param sizes the width on the page, as in `img.sizes`
 * @param how.alt empty where the text beside the picture says the same
 */
export function picture(
  shown: Picture | null | undefined,
  sizes: string,
  { eager = false, alt = shown?.alt ?? "" } = {},
): View {
  if (!shown) return view`<div class="picture none"></div>`;
  const { url, width, height, color, variants } = shown;
  const middle = variants.findLast((variant) => variant.width <= 800) ?? variants[0];
  const srcset = variants.map((variant) => `${variant.url} ${variant.width}w`).join(", ");
  return view`
    <img class="picture" src=${middle?.url ?? url} srcset=${srcset} sizes=${sizes} alt=${alt} width=${width}
      height=${height} loading=${eager ? "eager" : "lazy"} style=${{ backgroundColor: color ?? "" }} />`;
}

type Priced = { price: number; compare_at_price: number | null; currency: string; price_from?: boolean };

export const price = ({ price, compare_at_price, currency, price_from }: Priced): View => view`
  <p class="price">
    ${price_from && view`<small>from</small> `}<b>${money(price, currency)}</b>
    ${
      compare_at_price !== null &&
      view` <s><span class="hidden">instead of </span>${money(compare_at_price, currency)}</s>`
    }
  </p>`;

export function availability({ state, quantity, lead_time }: Schemas["Availability"]): string {
  if (state === "in_stock") return "In stock";
  if (state === "low_stock") return quantity === null ? "Only a few left" : `Only ${quantity} left`;
  if (state === "out_of_stock") return "Sold out";
  return `${state === "backorder" ? "Back" : "Made for you"} in ${days(lead_time)}`;
}

interface Coloured {
  hex: string | null;
  image: string | null;
  variants?: readonly Schemas["ScaledPicture"][];
}

export function swatch({ hex, image, variants }: Coloured): View {
  const url = variants?.[0]?.url ?? image;
  return url === null
    ? view`<span class="swatch" style=${{ backgroundColor: hex ?? "" }}></span>`
    : view`<img class="swatch" src=${url} alt="" loading="lazy" />`;
}

export const hrefOf = ({ kind, slug }: Pick<Schemas["Card"], "kind" | "slug">): string => `/${kind}s/${slug}`;

const shownSwatches = 5;

export function card(shown: Schemas["Card"], eager = false): View {
  const { name, subtitle, badges, swatches } = shown;
  return view`
    <article class="card">
      <a href=${hrefOf(shown)}>
        ${picture(shown.image, "(min-width: 1000px) 21rem, 50vw", { eager, alt: "" })}
        ${badges[0] && view`<span class="badge">${badges[0]}</span>`}
        <h3>${name}</h3>
      </a>
      <p class="subtitle">${subtitle}</p>
      ${price(shown)}
      <p class="stock ${shown.availability.state}">${availability(shown.availability)}</p>
      ${
        swatches.length > 1 &&
        view`
          <p class="swatches">
            ${swatches.slice(0, shownSwatches).map(swatch)} <small>${count(swatches.length, "colour")}</small>
          </p>`
      }
    </article>`;
}

/** @param eager how many pictures are seen at once, and need not wait for the buyer to scroll */
export const cards = (shown: readonly Schemas["Card"][], eager = 0): View => view`
  <ul class="cards">
    ${shown.map((each, index) => view`<li key=${each.id}>${card(each, index < eager)}</li>`)}
  </ul>`;

interface Line {
  name: View;
  image: Picture | null;
  choices?: readonly Schemas["LineChoice"][];
  /** Null on pages that show no amounts. */
  amount: string | null;
  more?: View;
}

/** A line of a cart, an order or a quote. */
export const line = ({ name, image, choices = [], amount, more }: Line): View => view`
  <li>
    ${picture(image, "9rem", { alt: "" })}
    <div>
      <h2>${name}</h2>
      <p class="subtitle">${choices.map(({ label, value }) => `${label}: ${value}`).join(" · ")}</p>
      ${more}
    </div>
    <b>${amount}</b>
  </li>`;

/** `2 × Mysore Dining Chair`. */
export const units = ({ quantity, name }: { quantity: number; name: string }): string => `${quantity} × ${name}`;

/** Names and their values, such as amounts. Those without a value are left out. */
export const facts = (rows: Readonly<Record<string, View>>): View => view`
  <dl>
    ${Object.entries(rows).map(
      ([name, value]) => value && view`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`,
    )}
  </dl>`;
