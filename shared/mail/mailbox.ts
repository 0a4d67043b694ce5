/** Of one encoded word, which may have 75 characters: its frame takes 12 and Base64 makes four of three. */
const wordBytes = 45;

/** An address with a display name, as the header of a mail has it: `"Teak & Thread" <no-reply@example.com>`. */
export function mailbox(name: string, address: string): string {
  return `${/^[ -~]*$/.test(name) ? quoted(name) : encoded(name)} <${address}>`;
}

const quoted = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Encoded words (RFC 2047), each of whole characters. */
function encoded(name: string): string {
  const words = [""];
  for (const character of name) {
    const word = words.at(-1) + character;
    if (Buffer.byteLength(word) <= wordBytes) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}
