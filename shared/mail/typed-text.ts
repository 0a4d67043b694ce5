/**
 * How a letter begins. Orders are placed with addresses that nobody has proven, so whatever is no name, above all what a
 * mail program would make a link of, is left out of what goes out in the shop's name.
 *
 * @param name as somebody typed it; null: whose address it is, is not known yet
 */
export function greeting(name: string | null): string {
  return name !== null && isPlainName(name) ? `Hello ${name},` : "Hello,";
}

const longestName = 60;

/** Letters, with what joins them in names; no numbers, no markup, nothing like `shop.example`. */
const isPlainName = (name: string): boolean =>
  name.length <= longestName &&
  /^[\p{L}\p{M}][\p{L}\p{M} .,'’-]*$/u.test(name) &&
  !/\.\p{L}{2}/u.test(name);

/** Typed text that has to be told, an address for one: spaces keep mail programs from making links of it. */
export const withoutLinks = (text: string): string =>
  text.replaceAll("://", ": //").replaceAll(/(?<=[\p{L}\p{M}\p{N}])\.(?=\p{L})/gu, ". ");
