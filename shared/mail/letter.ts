import type { OutboxEvent } from "../domain/base/outbox-event.ts";
import type { EmailSettings } from "../domain/settings/further-settings.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import type { Picture } from "../domain/base/picture.ts";
import { mediaScheme } from "../domain/upload/media.ts";
import { copiesOf } from "../domain/upload/public-picture.ts";

/** The content of a mail, for HTML and plain text. */
export interface Letter {
  /** The sender's name. */
  readonly shop: string;
  /** Null if replies are not read. */
  readonly reply_to: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** What `html` and `text` were made from, so that blocks can be added. */
  readonly content: LetterContent;
}

interface LetterContent {
  readonly store: StoreSettings;
  readonly subject: string;
  readonly greeting: string;
  readonly blocks: readonly Block[];
}

/** A file of the bucket of documents that is attached to a mail. */
export interface Attachment {
  readonly key: string;
  readonly filename: string;
}

/** A mail's content with its recipients. */
export type Addressed = Letter & {
  /** Null if nothing is attached. */
  readonly attachment?: Attachment | null;
  readonly to: string;
  /** The order, if an unproven address gets few such mails in a day because nothing was paid. */
  readonly unpaid_order?: { readonly id: string; readonly version: number };
  /** Causes a copy of the mail for the shop. */
  readonly copy?: OutboxEvent;
  /** For marketing mail: where mail programs unsubscribe the recipient (RFC 8058). */
  readonly unsubscribe_url?: string;
};

/** The blocks of a mail. All of them are plain text: only this file writes HTML. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "link" | "small_link"; readonly label: string; readonly url: string }
  | { readonly kind: "facts"; readonly title: string; readonly rows: readonly Fact[] };
/**
 * A label and its value. `strong` marks the most important fact; a `detail` belongs to the fact above it; an `item` shows
 * the small copy of a picture.
 */
export type Fact =
  | readonly [name: string, value: string, weight?: "strong" | "detail"]
  | readonly [name: string, value: string, weight: "item", picture: Picture | null];

export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
export const link = (label: string, url: string): Block => ({ kind: "link", label, url });
/** A link that is not what the mail is about. */
export const smallLink = (label: string, url: string): Block => ({
  kind: "small_link",
  label,
  url,
});
export const facts = (title: string, rows: readonly Fact[]): Block => ({
  kind: "facts",
  title,
  rows,
});

type Query = Readonly<Record<string, string>>;

/** A URL of the storefront. It starts with the URL from the shop's settings, never with request data. */
export function storefrontLink(
  { storefront_url }: Pick<StoreSettings, "storefront_url">,
  path: string,
  query: Query = {},
): string {
  return linkIn(storefront_url, path, query);
}

/** A URL of the back office. It starts with the URL from the shop's settings, never with request data. */
export function adminLink(
  { admin_url }: Pick<StoreSettings, "admin_url">,
  path: string,
  query: Query = {},
): string {
  return linkIn(admin_url, path, query);
}

function linkIn(site: string, path: string, query: Query): string {
  const search = new URLSearchParams(query).toString();
  return site.replace(/\/+$/, "") + path + (search && `?${search}`);
}

/** A mail in the shop's name: the same content as HTML and plain text. */
export function letter(
  store: StoreSettings,
  { subject, greeting, blocks }: Omit<LetterContent, "store">,
): Letter {
  const all = [paragraph(greeting), ...blocks];
  return {
    shop: store.name,
    reply_to: store.contact.email,
    subject,
    html: page(store, subject, all.map(blockHtml).join("\n")),
    text: [subject, ...all.map(blockText), `-- \n${footer(store).join("\n")}`].join("\n\n") + "\n",
    content: { store, subject, greeting, blocks },
  };
}

/** The mail with a further block at its end. */
export const withBlock = ({ content }: Letter, block: Block): Letter =>
  letter(content.store, { ...content, blocks: [...content.blocks, block] });

/** The sender's name and the reply address, from the mail settings. */
export function sentAs(
  { shop, reply_to }: Letter,
  email: EmailSettings,
): Pick<Letter, "shop" | "reply_to"> {
  return { shop: email.sender_name ?? shop, reply_to: email.reply_to ?? reply_to };
}

/** The recipient of mails to staff; null if none is configured. */
export function staffAddress({
  store,
  email,
}: {
  store: StoreSettings;
  email: EmailSettings;
}): string | null {
  return email.staff_alerts_to ?? store.contact.email;
}

/** The shop's contact details; empty if none are configured. */
export const waysToReach = ({ contact: { email, phone } }: StoreSettings): string =>
  [email, phone].filter((way) => way !== null).join(" or ");

/**
 * The greeting of a mail. Anybody can place an order with another person's email. So a name that is not plain, for
 * example a name that a mail program would turn into a link, is left out.
 *
 * @param name as a person typed it; null if the recipient is not known yet
 */
export function greeting(name: string | null): string {
  return name !== null && isPlainName(name) ? `Hello ${name},` : "Hello,";
}

const longestName = 60;

/** Letters and the characters that join them in names; no digits, no markup, and nothing like `shop.example`. */
const isPlainName = (name: string): boolean =>
  name.length <= longestName &&
  /^[\p{L}\p{M}][\p{L}\p{M} .,'’-]*$/u.test(name) &&
  !/\.\p{L}{2}/u.test(name);

/** Typed text that a mail must contain, such as an address: spaces keep mail programs from turning it into links. */
export const withoutLinks = (text: string): string =>
  text.replaceAll("://", ": //").replaceAll(/(?<=[\p{L}\p{M}\p{N}])\.(?=\p{L})/gu, ". ");

function footer({ name, legal_name, address_lines, contact }: StoreSettings): string[] {
  return [
    [name, contact.phone, contact.email].filter((part) => part !== null).join(" · "),
    [legal_name, ...address_lines].join(", "),
  ];
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "link":
    case "small_link":
      return `${block.label}:\n${block.url}`;
    case "facts":
      return [block.title, ...block.rows.map(factText)].join("\n");
  }
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escapeHtml(block.text)}</p>`;
    case "link":
      return `<p class="action"><a href="${escapeHtml(block.url)}">${escapeHtml(block.label)}</a></p>
<p class="small">If that does not open, copy this address into your browser:<br>${escapeHtml(block.url)}</p>`;
    case "small_link":
      return `<p class="small"><a href="${escapeHtml(block.url)}">${escapeHtml(block.label)}</a></p>`;
    case "facts":
      return `<h2>${escapeHtml(block.title)}</h2>
<table>
${block.rows.map(factHtml).join("\n")}
</table>`;
  }
}

const factText = ([name, value, weight]: Fact): string =>
  `${weight === "detail" ? "    " : "  "}${name}: ${value}`;

function factHtml(fact: Fact): string {
  const [name, value, weight, picture = null] = fact;
  const marked = weight ? ` class="${weight}"` : "";
  const label = `${pictureHtml(picture)}${escapeHtml(name)}`;
  return `<tr${marked}><th scope="row">${label}</th><td>${escapeHtml(value)}</td></tr>`;
}

const shownWidth = 72;

/** The small copy of an uploaded picture. Others have none, and would make the mail large. */
function pictureHtml(picture: Picture | null): string {
  const [copy] = picture ? copiesOf(picture.url, picture).variants : [];
  if (!copy) return "";
  const height = Math.max(1, Math.round((copy.height * shownWidth) / copy.width));
  return `<img src="${escapeHtml(copy.url)}" alt="" width="${shownWidth}" height="${height}">`;
}

/** The HTML of a mail with public URLs instead of the stored addresses of its pictures. */
export const withPictureUrls = (html: string, mediaBaseUrl: string): string =>
  html.replaceAll(`<img src="${mediaScheme}`, () => `<img src="${mediaBaseUrl}/`);

/** One column, dark on light. It is complete without its pictures, which many mail programs do not load. */
const style = `
body { margin: 0; padding: 24px 12px; background: #f5f2ec; color: #26221c; }
main { max-width: 560px; margin: 0 auto; padding: 28px; background: #ffffff; border-radius: 8px; }
main, footer { font: 16px/1.5 "Helvetica Neue", Helvetica, Arial, sans-serif; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 16px; }
h2 { font-size: 17px; margin: 28px 0 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 0; border-top: 1px solid #e4ddd0; text-align: left; vertical-align: top; font-weight: normal; }
th { min-width: 6em; padding-right: 16px; overflow-wrap: anywhere; }
td { text-align: right; }
.strong th, .strong td { font-weight: bold; }
.detail th, .detail td { padding: 0 0 4px; border-top: 0; font-size: 13px; color: #5c5549; }
.detail th { padding: 0 16px 4px; }
.item img { display: block; margin-bottom: 6px; border-radius: 6px; }
.action a { display: inline-block; padding: 12px 22px; border-radius: 6px; background: #6b3f1d; color: #ffffff; text-decoration: none; font-weight: bold; }
.small, footer { font-size: 13px; color: #5c5549; overflow-wrap: anywhere; }
.small a { color: inherit; }
footer { max-width: 560px; margin: 16px auto 0; padding: 0 28px; }`;

function page(store: StoreSettings, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
<footer>${footer(store).map(escapeHtml).join("<br>")}</footer>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
