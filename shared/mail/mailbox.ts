/** Bytes per encoded word. The word may have 75 characters: 12 for framing, and 60 for these bytes in Base64. */
const wordBytes = 45;

/** An address with a display name for a mail header: `"Teak & Thread" <no-reply@example.com>`. */
export function mailbox(name: string, address: string): string {
  return `${/^[ -~]*$/.test(name) ? quoted(name) : encoded(name)} <${address}>`;
}

const quoted = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Encoded words (RFC 2047), each with whole characters. */
function encoded(name: string): string {
  const words = [""];
  for (const character of name) {
    const word = words.at(-1) + character;
    if (Buffer.byteLength(word) <= wordBytes) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}
