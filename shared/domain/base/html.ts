import sanitize from "sanitize-html";

const tags = [
  "p br hr h2 h3 h4 blockquote ul ol li",
  "strong b em i u s small sub sup a",
  "table thead tbody tr th td",
].flatMap((group) => group.split(" "));

/**
 * HTML that may be stored and shown anywhere: text, headings, lists, tables, quotes and links, nothing that runs,
 * loads or styles. Everything else loses its tags and keeps its words; scripts and styles go altogether.
 *
 * It is applied when content is written and never when it is read, which is why no other rule imports this file.
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
  // Browsers drop control characters from an address, and `ht\ntps:` becomes a scheme that was never judged.
  if (/\p{Cc}/u.test(href)) return { tagName, attribs: {} };
  const away = /^https:/i.test(href);
  return {
    tagName,
    attribs: away ? { href, rel: "noopener noreferrer", target: "_blank" } : { href },
  };
}

/** A copy of a document whose members named `html` or `…_html` are harmless, at any depth. */
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
