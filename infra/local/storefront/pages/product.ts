import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { writeLines } from "../cart.ts";
import { centimetres, count } from "../format.ts";
import { Action, Form, emailField, field } from "../forms.ts";
import { availability, cards, facts, picture, price, swatch } from "../goods.ts";
import { type View, loaded, useAnswer, useTitle, view } from "../page.ts";
import { address } from "../router.ts";
import { type Result, answerOf, messageOf, session, shop } from "../shop.ts";
import { html, preview, titled } from "./content.ts";

export function Product({ slug = "" }): View {
  const path = { slug };
  const params = { path, query: preview() };
  const answer = useAnswer(() => shop.GET("/api/v1/products/{slug}", { params }));
  const related = useAnswer(() => shop.GET("/api/v1/products/{slug}/related", { params: { path } }));
  useTitle(answer.data?.data.name);
  return [loaded(answer, ({ data }) => view`<${Details} product=${data} />`), alsoGood(related.data?.data ?? [])];
}

function Details({ product }: { product: Schemas["ProductDetail"] }): View {
  const { slug, variants, media } = product;
  const asked = address.value.searchParams.get("sku") ?? product.sku;
  const first = variants.find(({ sku }) => sku === asked) ?? variants[0];
  const [chosen, setChosen] = useState<Record<string, string>>(first?.options ?? {});
  const variant = variants.find(({ options }) =>
    Object.entries(options).every(([code, value]) => chosen[code] === value),
  );
  const images = media.filter(({ type }) => type === "image");
  const own = images.filter(({ id }) => variant?.media_ids.includes(id));
  const isSoldOut = variant?.availability.state === "out_of_stock";
  const askFit: FitCall = (body) => {
    const exactly = { ...body, ...(variant && { variant_id: variant.id }) };
    return shop.POST("/api/v1/products/{slug}/fit", { params: { path: { slug } }, body: exactly });
  };
  return view`
    <article class="detail">
      ${gallery([...own, ...images.filter((image) => !own.includes(image))])}
      <div class="buy">
        ${heading(product)}
        ${price({ ...product, ...variant, price_from: variant === undefined })}
        ${product.options.map(({ code, label, values }) =>
          choices(
            label,
            values.map((value) => ({
              ...value,
              name: code,
              checked: chosen[code] === value.code,
              choose: () => setChosen({ ...chosen, [code]: value.code }),
            })),
          ),
        )}
        <p class="stock ${variant?.availability.state}" role="status">
          ${variant ? availability(variant.availability) : "Not made in this combination"}
        </p>
        ${variant && (isSoldOut ? notify(slug, variant.sku) : addToCart({ sku: variant.sku }))}
        ${wish({ product: slug })}
        ${about(product)}
        ${fits(askFit)}
      </div>
    </article>`;
}

type Detail = Schemas["ProductDetail"] | Schemas["SofaDetail"];

export const heading = ({ category, name, subtitle }: Detail): View => view`
  <nav class="crumbs" aria-label="Breadcrumbs">
    <a href="/">Home</a> / <a href="/categories/${category.slug}">${category.name}</a>
  </nav>
  <h1>${name}</h1>
  <p class="subtitle">${subtitle}</p>`;

export const gallery = (shown: readonly Schemas["PublicPicture"][]): View => view`
  <div class="gallery">
    ${shown.map((each, index) => picture(each, index > 0 ? "27vw" : "(min-width: 900px) 55vw, 100vw", { eager: index === 0 }))}
  </div>`;

interface Choice {
  name: string;
  code: string;
  label: string;
  detail?: string | undefined;
  swatch: Parameters<typeof swatch>[0] | null;
  checked: boolean;
  several?: boolean;
  disabled?: boolean;
  choose: () => void;
}

/** The values of an option: radio buttons, or checkboxes where several may be chosen. */
export const choices = (legend: string, values: readonly Choice[], hint?: string | null): View => view`
  <fieldset class="choices" key=${legend}>
    <legend>${legend}</legend>
    ${hint && view`<p class="hint">${hint}</p>`}
    ${values.map(
      ({ name, code, label, detail, swatch: sample, checked, several, disabled, choose }) => view`
        <label key=${code}>
          <input type=${several ? "checkbox" : "radio"} name=${name} ...${{ checked, disabled }} onChange=${choose} />
          ${sample && swatch(sample)}<span>${label}${detail && view` <small>${detail}</small>`}</span>
        </label>`,
    )}
  </fieldset>`;

export function addToCart(line: Omit<Schemas["LineWriteInput"], "quantity">, button: object = {}): View {
  const run = async () => {
    await writeLines([{ ...line, quantity: 1 }]);
    return view`It is in your cart. <a href="/cart">See the cart</a>`;
  };
  return view`<p><${Action} label="Add to cart" kind="primary" run=${run} ...${button} /></p>`;
}

export function wish(body: Schemas["WishlistInput"]): View {
  const run = async () => {
    await answerOf(shop.POST("/api/v1/wishlist", { body }));
    return "It is on your wishlist.";
  };
  return session.value && view`<p><${Action} label="Put on my wishlist" run=${run} /></p>`;
}

function notify(slug: string, sku: string): View {
  const submit = async ({ email }: { email: string }) => {
    const body = { email, sku, kind: "back_in_stock" } as const;
    return messageOf(shop.POST("/api/v1/products/{slug}/notify", { params: { path: { slug } }, body }));
  };
  return view`
    <${Form} key=${sku} button="Tell me when it is back" submit=${submit}>
      ${emailField(session.value?.customer.email)}
    <//>`;
}

export function about({ description_html, dimensions, materials, care, warranty, assembly, packages }: Detail): View {
  const { width_mm, depth_mm, height_mm, seat_height_mm } = dimensions;
  const length = (mm: number | null) => mm && centimetres(mm);
  const measures = { Width: length(width_mm), Depth: length(depth_mm), Height: length(height_mm) };
  const boxes = packages.map(({ label, width_mm, depth_mm, height_mm }) => [
    label,
    [width_mm, depth_mm, height_mm].map(centimetres).join(" × "),
  ]);
  const months = warranty.map(({ component, months }) => [component, `${count(months, "month")} of warranty`]);
  const { required, minutes } = assembly;
  return view`
    ${html(description_html)}
    <details open><summary>Measures</summary>${facts({ ...measures, "Seat height": length(seat_height_mm) })}</details>
    <details>
      <summary>Materials, care and warranty</summary>
      <p>${materials.map(({ label }) => label).join(", ")}</p>
      ${facts(Object.fromEntries([...care.map(({ title, body }) => [title, body]), ...months]))}
    </details>
    <details>
      <summary>Packages and assembly</summary>
      ${facts(Object.fromEntries(boxes))}
      <p>${required ? `Assembly takes about ${count(minutes ?? 30, "minute")}.` : "It comes assembled."}</p>
    </details>`;
}

const verdicts = {
  fits: "It fits.",
  tight: "It fits, but only just.",
  does_not_fit: "It does not fit.",
  unknown: "We do not know its packages yet.",
};

type FitCall = (body: Schemas["ProductsFitInput"]) => Promise<Result<{ data: Schemas["Fit"] }>>;

/** Whether it gets through the door: the API turns every package in every way. */
export function fits(ask: FitCall): View {
  const submit = async ({ width, height }: { width: number; height: number }) => {
    const door = { kind: "door", width_mm: width * 10, height_mm: height * 10 } as const;
    const { verdict, packages, advice } = (await answerOf(ask({ openings: [door] }))).data;
    const spare = packages.map(({ label, worst }) => [label, worst && `${centimetres(worst.clearance_mm)} to spare`]);
    return view`
      <b class="verdict ${verdict}">${verdicts[verdict]}</b>${facts(Object.fromEntries(spare))}
      <span class="hint">${advice.join(" ")}</span>`;
  };
  const number = { type: "number", min: 30, max: 1000, required: true } as const;
  return view`
    <details>
      <summary>Will it fit through my door?</summary>
      <${Form} button="Check" submit=${submit}>
        ${field({ name: "width", label: "Width of the door in cm", value: 80, ...number })}
        ${field({ name: "height", label: "Height of the door in cm", value: 200, ...number })}
      <//>
    </details>`;
}

export const alsoGood = (shown: readonly Schemas["Card"][]): View =>
  shown.length > 0 && titled("Goes well with it", view`<div class="rail">${cards(shown)}</div>`);
