/** Characters that XML 1.0 does not allow, not even escaped: https://www.w3.org/TR/xml/#charsets */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text as content or attribute value of an XML element. Characters that XML does not allow are dropped. */
export const xmlText = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");

/** An element with a text; nothing if the text is missing or empty. */
export const xmlElement = (name: string, text: string | null | undefined): string =>
  text ? `<${name}>${xmlText(text)}</${name}>` : "";

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
