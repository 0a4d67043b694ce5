import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText, textInSentences } from "#shared/domain/base/plain-text.ts";

describe("the text of HTML in sentences", () => {
  test.each([
    [
      "<p>Deep seat.</p><ul><li>Solid teak</li><li>No tools</li></ul>",
      "Deep seat. Solid teak. No tools.",
    ],
    ["<h2>Care</h2><p>Wipe gently!</p>", "Care. Wipe gently!"],
    [
      "<p>It has:</p><ul><li>oak,</li><li>&quot;teak.&quot;</li><li>brass (solid)</li></ul>",
      'It has: oak, "teak." brass (solid).',
    ],
    ["<ul><li>Frame<ul><li>Sal wood</li></ul></li></ul>", "Frame. Sal wood."],
    ["<li><p>Solid teak</p></li>", "Solid teak."],
    [
      "<table><tr><th>Width</th><td>70 cm</td></tr><tr><th>Depth</th><td>80 cm</td></tr></table>",
      "Width 70 cm. Depth 80 cm.",
    ],
    ["<p>A <b>deep</b> seat<br>for two</p>", "A deep seat for two."],
    ["<p>गहरी सीट।</p><p>ठोस सागौन</p>", "गहरी सीट। ठोस सागौन."],
    ["<blockquote>So soft…</blockquote><hr><p></p>", "So soft…"],
    ["<ul><li>75&quot;</li><li>&amp;</li></ul>", '75". &.'],
    ["", ""],
  ])("of %j is %j", (html, text) => {
    expect(textInSentences(html)).toBe(text);
  });

  test("has the words of the plain text in their order", () => {
    const blocks = fc.array(fc.tuple(fc.constantFrom("p", "li", "h2"), fc.lorem()), {
      maxLength: 5,
    });
    const words = (text: string) => text.match(/\w+/g);
    fc.assert(
      fc.property(blocks, (parts) => {
        const html = parts.map(([tag, text]) => `<${tag}>${text}</${tag}>`).join("");
        expect(words(textInSentences(html))).toEqual(words(plainText(html)));
      }),
    );
  });
});
