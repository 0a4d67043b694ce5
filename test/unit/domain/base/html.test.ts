import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitiseDocument, sanitiseHtml } from "#shared/domain/base/html.ts";
import { attacks, harmfulTags } from "#test/support/hostile/attacks.ts";

function expectHarmless(html: string): void {
  expect(harmfulTags(sanitiseHtml(html))).toEqual([]);
}

describe("sanitising", () => {
  test.each(attacks)("takes the sting out of %j", (attack) => {
    expectHarmless(attack);
    expectHarmless(`<p>${attack}</p>`);
  });

  test("leaves nothing that runs of any pile of attacks", () => {
    const piles = fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string()), { maxLength: 4 });
    fc.assert(
      fc.property(piles, (pile) => expectHarmless(pile.join(""))),
      { numRuns: 200 },
    );
  });

  test("done twice changes nothing more", () => {
    for (const attack of attacks) {
      const once = sanitiseHtml(attack);
      expect(sanitiseHtml(once)).toBe(once);
    }
  });

  test("keeps what text needs", () => {
    const html =
      '<h2>Care</h2><p>Wipe <strong>gently</strong> &amp; <a href="/care#oil">oil</a>.</p>' +
      '<ul><li>Teak</li></ul><table><tr><th scope="row">W</th><td>70 cm</td></tr></table>';
    expect(sanitiseHtml(html)).toBe(html);
  });

  test("opens links to elsewhere apart and makes a second title of a first one", () => {
    expect(sanitiseHtml('<h1>Us</h1><a href="https://example.com/">x</a>')).toBe(
      '<h2>Us</h2><a href="https://example.com/" rel="noopener noreferrer" target="_blank">x</a>',
    );
  });
});

describe("addresses of links", () => {
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
  ])("with control characters do not survive: %j", (address) => {
    expect(hrefOf(address)).toBe("<a>x</a>");
  });

  test("never hold a control character, wherever one is put", () => {
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

  test("lose the spaces around them", () => {
    expect(hrefOf(" \n https://example.com/ ")).toContain(
      'href="https://example.com/" rel="noopener',
    );
  });
});

test("of a document reaches every member of HTML, however deep, and no other", () => {
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
