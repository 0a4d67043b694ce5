import sanitize from "sanitize-html";

const tags = [
  "p br hr h2 h3 h4 blockquote ul ol li",
  "strong b em i u s small sub sup a",
  "table thead tbody tr th td",
].flatMap((group) => group.split(" "));

/**
 * Sanitizes HTML for storage. Text, headings, lists, tables, quotes and links are kept. Other tags are removed, and
 * their text is kept. Scripts and styles are removed with their text.
 *
 * Content is sanitized when it is written, not when it is read.
 */
export function sanitiseHtml(html: string): string {
  return sanitize(html, {
    allowedTags: tags,
    allowedAttributes: {
      a: ["href", "rel", "target"],
      ol: ["start"],
      li: ["value"],
      th: ["scope", "colspan", "rowspan"],
      td: ["colspan", "rowspan"],
      "*": ["lang", "dir"],
    },
    allowedSchemes: ["https", "mailto", "tel"],
    allowedSchemesAppliedToAttributes: ["href"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    enforceHtmlBoundary: false,
    transformTags: { h1: "h2", a: safeLink, "*": withPlainValues },
  }).trim();
}

/** A link to another site opens in a new tab and sends that site no referrer. */
function safeLink(
  tagName: string,
  { href: written = "", rel: _rel, target: _target, ...others }: sanitize.Attributes,
): sanitize.Tag {
  const href = written.trim();
  // Browsers drop control characters from a URL: `java\tscript:` becomes `javascript:`. The sanitizer does not notice
  // such a scheme.
  if (/\p{Cc}/u.test(href)) return { tagName, attribs: others };
  const away = /^https:/i.test(href);
  return {
    tagName,
    attribs: {
      href,
      ...(away && { rel: "noopener noreferrer", target: "_blank" }),
      ...others,
    },
  };
}

/** Directions, numbers of items, up to the thousand cells that browsers let one cell span, and language tags (BCP 47). */
const plainValues: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/i,
  start: /^-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
  colspan: /^(?:[1-9]\d{0,2}|1000)$/,
  rowspan: /^(?:\d{1,3}|1000)$/,
  lang: /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/,
};

/** A tag without attributes whose value is none of theirs. */
function withPlainValues(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const kept = Object.entries(attribs).filter(
    ([name, value]) => plainValues[name]?.test(value) ?? true,
  );
  return { tagName, attribs: Object.fromEntries(kept) };
}

/** A copy of a document in which each member named `html` or `…_html`, at any depth, is sanitized. */
export function sanitiseDocument(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(sanitiseDocument);
  if (typeof document !== "object" || document === null) return document;
  return Object.fromEntries(
    Object.entries(document).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" && /(?:^|_)html$/.test(name)
        ? sanitiseHtml(value)
        : sanitiseDocument(value),
    ]),
  );
}
