import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { centimetres, days, money } from "../format.ts";
import { facts, price } from "../goods.ts";
import { type View, loaded, useAnswer, usePage, useTitle, view } from "../page.ts";
import { type Result, shop } from "../shop.ts";
import { preview } from "./content.ts";
import { about, addToCart, alsoGood, choices, fits, gallery, heading, wish } from "./product.ts";

type Configuration = Schemas["Configuration"];
type Detail = Schemas["SofaDetail"];
type Priced = Schemas["PricedConfiguration"];

export function Sofa({ slug = "" }): View {
  const params = { path: { slug }, query: preview() };
  const answer = useAnswer(() => shop.GET("/api/v1/sofas/{slug}", { params }));
  const related = useAnswer(() => shop.GET("/api/v1/sofas/{slug}/related", { params: { path: { slug } } }));
  useTitle(answer.data?.data.name);
  return [loaded(answer, ({ data }) => view`<${Configurator} sofa=${data} />`), alsoGood(related.data?.data ?? [])];
}

/** The default choice comes with the sofa; every other is priced by the API. While it answers, the last price stays. */
function Configurator({ sofa }: { sofa: Detail }): View {
  const [body, setBody] = useState<Schemas["SofasPriceInput"]>(sofa.default);
  const { configuration } = body;
  const params = { path: { slug: sofa.slug } };
  const ask = () => shop.POST("/api/v1/sofas/{slug}/price", { params, body });
  const pricing = useAnswer(() => (body === sofa.default ? unasked() : ask()), [body]);
  const start = { ...sofa.default, valid: sofa.default.price !== null, errors: [], lines: [], suggestion: null };
  const priced = pricing.data?.data ?? { ...start, currency: sofa.currency };
  const choose = (changed: string, value: Configuration[string]) =>
    setBody({ configuration: { ...configuration, [changed]: value }, changed });
  return view`
    <article class="detail">
      ${gallery(picturesOf(sofa, configuration))}
      <div class="buy">
        ${heading(sofa)}
        ${sofa.option_groups.map((group) => [
          option(group, configuration[group.code], (value) => choose(group.code, value)),
          priced.errors
            .filter((error) => error.option === group.code)
            .map(({ message }) => view`<p key=${message} class="error" role="alert">${message}</p>`),
        ])}
        <div class="summary">
          <div role="status">${summary(priced)}</div>
          ${suggested(priced, (configuration) => setBody({ configuration }))}
          ${addToCart({ sofa: sofa.slug, configuration }, { disabled: !priced.valid })}
        </div>
        ${priced.lines.length > 1 && breakdown(priced)}
        ${wish({ product: sofa.slug, configuration })}
        ${about({ ...sofa, dimensions: priced.dimensions ?? sofa.dimensions })}
        ${fits((body) => shop.POST("/api/v1/sofas/{slug}/fit", { params, body: { ...body, configuration } }))}
      </div>
    </article>`;
}

const unasked = async (): Promise<Result<{ data: Priced }>> => ({ response: new Response() });

/** The nearest choice that goes together, with one click. */
const suggested = (
  { suggestion, currency }: Pick<Priced, "suggestion" | "currency">,
  take: (it: Configuration) => void,
) =>
  suggestion &&
  view`
    <button type="button" onClick=${() => take(suggestion.configuration)}>
      Take the nearest that goes together, ${money(suggestion.price, currency)}
    </button>`;

/** The picture of the last option whose chosen value has one comes first. */
function picturesOf({ option_groups, media }: Detail, configuration: Configuration): Schemas["PublicPicture"][] {
  const chosen = option_groups.flatMap(({ code, values }) =>
    values.flatMap((value) => (value.code === configuration[code] && value.media ? [value.media] : [])),
  );
  const first = chosen.at(-1);
  const rest = media.filter(({ type, url }) => type === "image" && url !== first?.url);
  return first ? [first, ...rest] : rest;
}

function option(
  { code, label, help, input, min, max, step, values }: Detail["option_groups"][number],
  chosen: Configuration[string] | undefined,
  choose: (value: Configuration[string]) => void,
): View {
  if (input === "number") {
    const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      choose(currentTarget.valueAsNumber || 0);
    const bounds = { min: min ?? 0, max: max ?? undefined, step: step ?? 1 };
    return view`
      <div class="field" key=${code}>
        <label for=${code}>${label}</label>
        <input id=${code} type="number" ...${bounds} value=${Number(chosen ?? 0)} onChange=${onChange} />
        <small>${help}</small>
      </div>`;
  }
  const several = input === "multiple";
  const picked = Array.isArray(chosen) ? chosen : [];
  const toggled = (value: string) =>
    picked.includes(value) ? picked.filter((one) => one !== value) : [...picked, value];
  const shown = values.map((value) => ({
    name: code,
    code: value.code,
    label: value.label,
    detail: value.available ? extraOf(value) : "Not available",
    swatch: value.swatch,
    several,
    disabled: !value.available,
    checked: several ? picked.includes(value.code) : chosen === value.code,
    choose: () => choose(several ? toggled(value.code) : value.code),
  }));
  return choices(label, shown, help);
}

function extraOf({ price_rule, price_per_meter }: Detail["option_groups"][number]["values"][number]) {
  if (price_per_meter !== null) return `${money(price_per_meter)} a metre`;
  if (price_rule?.type !== "fixed" || price_rule.amount === 0) return undefined;
  return `${price_rule.amount > 0 ? "+" : "−"}${money(Math.abs(price_rule.amount))}`;
}

function summary({
  valid,
  price: amount,
  currency,
  dimensions,
  lead_time,
}: Pick<Priced, "valid" | "price" | "currency" | "dimensions" | "lead_time">): View {
  const { width_mm, depth_mm } = dimensions ?? {};
  return view`
    ${!valid && view`<p class="error">These choices do not go together. Change one of those marked above.</p>`}
    ${amount !== null && price({ price: amount, compare_at_price: null, currency })}
    ${width_mm && depth_mm && view`<p>${centimetres(width_mm)} wide, ${centimetres(depth_mm)} deep</p>`}
    ${lead_time && view`<p class="stock made_to_order">Made for you in ${days(lead_time)}</p>`}`;
}

const breakdown = ({ lines, currency }: Pick<Priced, "lines" | "currency">): View => view`
  <details>
    <summary>What the price consists of</summary>
    ${facts(Object.fromEntries(lines.map(({ label, amount }) => [label, money(amount, currency)])))}
  </details>`;

/** What sofas are made of; a sample of most can be ordered. */
export const Materials = () =>
  usePage(
    () => shop.GET("/api/v1/sofas/materials", { params: { query: { per_page: 100 } } }),
    "Cloths and leathers",
    ({ data }) => view`<h1>Cloths and leathers</h1><ul class="tiles">${data.map(material)}</ul>`,
  );

const material = ({ id, name, swatch, price_per_meter, currency }: Schemas["PublicMaterial"]): View => view`
  <li key=${id}>
    <img class="picture" src=${swatch.variants[0]?.url ?? swatch.url} alt="" loading="lazy" />
    <h2>${name}</h2>
    <p>${money(price_per_meter, currency)} a metre</p>
    ${swatch.sku && addToCart({ sku: swatch.sku }, { label: "Order a sample", about: name })}
  </li>`;
