import type { Schemas } from "furniture-storefront-client";
import { Form, checkbox, emailField } from "../forms.ts";
import { card, cards, picture } from "../goods.ts";
import { type View, usePage, view } from "../page.ts";
import { address } from "../router.ts";
import { messageOf, shop } from "../shop.ts";

/** The token of a link by which staff look at a draft. */
export const preview = (): { preview?: string } => {
  const token = address.value.searchParams.get("preview");
  return token === null ? {} : { preview: token };
};

/** HTML of the shop's staff, which the API has made safe. */
export const html = (__html: string): View => view`<div class="html" dangerouslySetInnerHTML=${{ __html }}></div>`;

export const titled = (title: string | null, children: View, link?: Schemas["Link"] | null): View => view`
  <section>
    <div class="titled">${title && view`<h2>${title}</h2>`}${link && view`<a href=${link.href}>${link.label}</a>`}</div>
    ${children}
  </section>`;

export const Home = () =>
  usePage(
    () => shop.GET("/api/v1/home", { params: { query: preview() } }),
    "Furniture made to last",
    ({ data }) => data.sections.map(part),
  );

export const Page = ({ slug = "" }) =>
  usePage(
    () => shop.GET("/api/v1/pages/{slug}", { params: { path: { slug }, query: preview() } }),
    ({ data }) => data.title,
    ({ data: { title, blocks } }) => view`
      <div class="reading">${blocks[0]?.type !== "hero" && view`<h1>${title}</h1>`}${blocks.map(part)}</div>`,
  );

type Part = Schemas["PublicHome"]["sections"][number] | Schemas["PublicPage"]["blocks"][number];

const half = "(min-width: 900px) 50vw, 100vw";

/** A section of the front page or a block of a page. */
function part({ type, data }: Part): View {
  switch (type) {
    case "hero":
      return hero(data);
    case "category_grid":
      return titled(data.title, tiles(data.tiles));
    case "product_rail":
      return titled(data.title, view`<div class="rail">${cards(data.items)}</div>`, data.link);
    case "sofa_feature":
      return view`
        <section class="feature">
          ${picture(data.image, half, { alt: "" })}
          <div><h2>${data.title}</h2><p>${data.text}</p>${card(data.item)}</div>
        </section>`;
    case "usps":
      return view`<ul class="usps">${data.items.map(({ title, text }) => view`<li><b>${title}</b> ${text}</li>`)}</ul>`;
    case "interior_stories":
      return titled(data.title, stories(data.stories), { label: "All stories", href: "/interiors" });
    case "testimonials":
      return titled(data.title, view`<div class="quotes">${data.items.map(testimonial)}</div>`);
    case "rich_text":
      return titled(data.title, html(data.html));
    case "faq":
      return questions({ ...data.group, title: data.title ?? data.group.title });
    case "newsletter":
      return newsletter(data);
    case "image":
      return picture(data.image, half);
    case "gallery":
      return titled(data.title, view`${data.images.map((image) => picture(image, half))}`);
    case "cta":
      return titled(data.title, view`<p>${data.text}</p>`, data.link);
    case "embed_map":
      return titled(data.title, view`<address>${data.address}</address>`);
  }
}

const testimonial = ({ quote, name, place }: { quote: string; name: string; place: string | null }): View =>
  view`<figure><blockquote>${quote}</blockquote><figcaption>${name}${place && `, ${place}`}</figcaption></figure>`;

const hero = ({ eyebrow, title, text, image, link }: Schemas["PublicHero"]): View => view`
  <section class="hero">
    ${picture(image, "100vw", { eager: true, alt: "" })}
    <div>
      <p class="eyebrow">${eyebrow}</p>
      <h1>${title}</h1>
      <p>${text}</p>
      ${link && view`<a class="primary" href=${link.href}>${link.label}</a>`}
    </div>
  </section>`;

type Tile = { label: string; href: string; image: Schemas["PublicPicture"] };

const tiles = (shown: readonly Tile[], kind = ""): View => view`
  <ul class="tiles ${kind}">
    ${shown.map(
      ({ label, href, image }) => view`
        <li key=${href}><a href=${href}>${picture(image, "(min-width: 900px) 25vw, 50vw", { alt: "" })}${label}</a></li>`,
    )}
  </ul>`;

const stories = (told: readonly Schemas["PublicStoryTeaser"][]): View =>
  tiles(
    told.map(({ slug, title: label, cover: image }) => ({ label, href: `/interiors/${slug}`, image })),
    "wide",
  );

export const Stories = () =>
  usePage(
    () => shop.GET("/api/v1/interiors"),
    "Interiors",
    ({ data }) => view`<h1>Homes we have been to</h1>${stories(data)}`,
  );

export const Story = ({ slug = "" }) =>
  usePage(
    () => shop.GET("/api/v1/interiors/{slug}", { params: { path: { slug }, query: preview() } }),
    ({ data }) => data.title,
    ({ data: { title, body_html, images } }) => view`
      <div class="reading"><h1>${title}</h1>${html(body_html)}</div>
      ${images.map(({ media, hotspots }) => [
        picture(media, "100vw"),
        titled("In this room", cards(hotspots.flatMap(({ product, sofa }) => product ?? sofa ?? []))),
      ])}`,
  );

export const Faqs = () =>
  usePage(
    () => shop.GET("/api/v1/faqs"),
    "Questions",
    ({ data }) => view`<div class="reading"><h1>Questions</h1>${data.map(questions)}</div>`,
  );

const questions = ({ title, items }: Schemas["FaqGroup"]): View => titled(title, view`${items.map(answered)}`);

const answered = ({ id, question, answer_html }: Schemas["FaqGroup"]["items"][number]): View =>
  view`<details key=${id}><summary>${question}</summary>${html(answer_html)}</details>`;

const newsletter = ({ title, text, button }: { title: string; text: string | null; button: string }): View => {
  const submit = (body: Schemas["SubscriptionInput"]) => messageOf(shop.POST("/api/v1/newsletter", { body }));
  return view`
    <section class="newsletter">
      <h2>${title}</h2>
      <p>${text}</p>
      <${Form} button=${button} submit=${submit}>
        ${emailField()}${checkbox("consent", "Write to me; I can stop it at any time", true)}
      <//>
    </section>`;
};
