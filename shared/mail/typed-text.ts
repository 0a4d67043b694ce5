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
