const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The text of sanitized HTML, for search and descriptions. It is not escaped, so it must not be inserted into HTML. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&([a-z]+);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}
