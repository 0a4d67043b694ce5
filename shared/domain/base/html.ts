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
    allowedAttributes: { a: ["href", "rel", "target"], th: ["scope"] },
    allowedSchemes: ["https", "mailto", "tel"],
    allowedSchemesAppliedToAttributes: ["href"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    enforceHtmlBoundary: false,
    transformTags: { h1: "h2", a: safeLink },
  }).trim();
}

/** A link to another site opens in a new tab and sends that site no referrer. */
function safeLink(tagName: string, { href: written = "" }: sanitize.Attributes): sanitize.Tag {
  const href = written.trim();
  // Browsers drop control characters from a URL: `java\tscript:` becomes `javascript:`. The sanitizer does not notice
  // such a scheme.
  if (/\p{Cc}/u.test(href)) return { tagName, attribs: {} };
  const away = /^https:/i.test(href);
  return {
    tagName,
    attribs: away ? { href, rel: "noopener noreferrer", target: "_blank" } : { href },
  };
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
