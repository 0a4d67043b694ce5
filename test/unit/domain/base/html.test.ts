import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitiseDocument, sanitiseHtml } from "#shared/domain/base/html.ts";
import { attacks, harmfulTags } from "#test/support/hostile/hostile-values.ts";

function expectHarmless(html: string): void {
  expect(harmfulTags(sanitiseHtml(html))).toEqual([]);
}

describe("HTML sanitising", () => {
  test.each(attacks)("removes the attack from %j", (attack) => {
    expectHarmless(attack);
    expectHarmless(`<p>${attack}</p>`);
  });

  test("leaves no script in any combination of attacks", () => {
    const piles = fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string()), { maxLength: 4 });
    fc.assert(
      fc.property(piles, (pile) => expectHarmless(pile.join(""))),
      { numRuns: 200 },
    );
  });

  test("is idempotent", () => {
    for (const attack of attacks) {
      const once = sanitiseHtml(attack);
      expect(sanitiseHtml(once)).toBe(once);
    }
  });

  test("keeps formatting markup and text", () => {
    const html =
      '<h2>Care</h2><p>Wipe <strong>gently</strong> &amp; <a href="/care#oil">oil</a>.</p>' +
      '<ul><li>Teak</li></ul><table><tr><th scope="row">W</th><td>70 cm</td></tr></table>';
    expect(sanitiseHtml(html)).toBe(html);
  });

  test.each([
    '<table><tr><th colspan="2" rowspan="3" scope="col">W</th><td colspan="2">x</td></tr></table>',
    '<ol start="4"><li value="7">Oil</li></ol>',
    '<p dir="rtl" lang="he-IL">\u05e9\u05dc\u05d5\u05dd</p>',
    '<h2 lang="hi">\u0926\u0947\u0916\u092d\u093e\u0932</h2>',
    '<a href="/care" lang="en" dir="ltr">Care</a>',
  ])("keeps what tables, lists and languages need: %s", (html) => {
    expect(sanitiseHtml(html)).toBe(html);
  });

  test.each([
    ['<td colspan="99999" rowspan="-1" start="2">x</td>', "<td>x</td>"],
    ['<ol start="1e9" value="2"></ol>', "<ol></ol>"],
    ['<p dir="up" lang="x y">x</p>', "<p>x</p>"],
  ])("drops such attributes if they have another value or tag: %s", (html, kept) => {
    expect(sanitiseHtml(html)).toBe(kept);
  });

  test("opens external links in a new tab and changes first-level headings to second-level ones", () => {
    expect(sanitiseHtml('<h1>Us</h1><a href="https://example.com/">x</a>')).toBe(
      '<h2>Us</h2><a href="https://example.com/" rel="noopener noreferrer" target="_blank">x</a>',
    );
  });
});

describe("link targets in sanitised HTML", () => {
  const hrefOf = (address: string) => sanitiseHtml(`<a href="${address}">x</a>`);

  test.each([
    "ht\ntps://evil.example/",
    "ht\ttps://evil.example/",
    "java\nscript:alert(1)",
    "java&#9;script:alert(1)",
    "/\t/evil.example/",
    "https://evil.example/\u0000",
    "mail\rto:a@b.example",
    "\u0001https://evil.example/",
  ])("are removed if they contain control characters: %j", (address) => {
    expect(hrefOf(address)).toBe("<a>x</a>");
  });

  test("never contain a control character, wherever it was inserted", () => {
    const addresses = fc
      .tuple(
        fc.constantFrom(
          "https://example.com/a",
          "/care#oil",
          "mailto:a@example.com",
          "javascript:x()",
        ),
        fc.nat(12),
        fc.constantFrom("\t", "\n", "\r", "\u0000", "\u001f", "\u007f", "\u0085"),
      )
      .map(([address, at, sign]) => address.slice(0, at) + sign + address.slice(at));
    fc.assert(
      fc.property(addresses, (address) => {
        expect(hrefOf(address).replaceAll("\n", "")).not.toMatch(/\p{Cc}|&#/u);
        expect(hrefOf(address)).not.toContain("script:");
      }),
    );
  });

  test("are trimmed", () => {
    expect(hrefOf(" \n https://example.com/ ")).toContain(
      'href="https://example.com/" rel="noopener',
    );
  });
});

test("sanitising a document cleans every HTML member at any depth, and no other member", () => {
  const attack = "<script>alert(1)</script>Teak & <b>brass</b>";
  const safe = "Teak &amp; <b>brass</b>";
  const document = {
    html: attack,
    title: attack,
    blocks: [{ data: { columns: [{ html: attack }, null], rating: 5 } }],
    items: [{ answer_html: attack, question: attack }],
  };
  expect(sanitiseDocument(document)).toEqual({
    html: safe,
    title: attack,
    blocks: [{ data: { columns: [{ html: safe }, null], rating: 5 } }],
    items: [{ answer_html: safe, question: attack }],
  });
});
