const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of sanitized HTML, for search. It is not escaped, so it must not be inserted into HTML. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&([a-z]+);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Tags at which a line of text ends. */
const blockTag = /<\/?(?:p|hr|h[2-4]|blockquote|ul|ol|li|table|thead|tbody|tr)\b[^>]*>/;

/** Punctuation, such as a full stop or a comma, also before closing quotes and brackets. */
const punctuated = /[\p{Terminal_Punctuation}…–—]["'\p{Pe}\p{Pf}]*$/u;

/**
 * The text of sanitized HTML, for descriptions. A paragraph, heading, list item or table row that ends without
 * punctuation gets a full stop. It is not escaped, so it must not be inserted into HTML.
 */
export const textInSentences = (html: string): string =>
  html
    .split(blockTag)
    .map(plainText)
    .filter((text) => text !== "")
    .map((text) => (punctuated.test(text) ? text : `${text}.`))
    .join(" ");
