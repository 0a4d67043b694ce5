import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sitemap, xmlDeclaration, xmlElement } from "#shared/domain/seo/feeds.ts";
import { parsedXml, textsOf } from "#test/support/http/xml.ts";

/** Any text, with control characters, lone surrogates and markup. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "'",
      "]]>",
      "&amp;",
      "<!--",
      "\0",
      "\v",
      "\uFFFE",
      "\uD800",
    ),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

/** What a parser reads from XML with this text: only characters that XML allows, and every line break as `\n`. */
const inXml = (text: string) =>
  Array.from(text)
    .filter(
      (character) =>
        character.isWellFormed() && !/[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/.test(character),
    )
    .join("")
    .replaceAll(/\r\n?/g, "\n");

test("an XML element keeps any text unchanged, except characters that XML does not allow", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const root = parsedXml(`${xmlDeclaration}<a>${xmlElement("b", `x${text}`)}</a>`);
      expect(textsOf(root, "b")).toEqual([inXml(`x${text}`)]);
    }),
  );
});

test("an XML element without a text is left out", () => {
  expect([xmlElement("a", ""), xmlElement("a", null), xmlElement("a", undefined)]).toEqual([
    "",
    "",
    "",
  ]);
});

test("a sitemap is well-formed XML, whatever characters its URLs contain", () => {
  fc.assert(
    fc.property(fc.array(anyText), (addresses) => {
      const root = parsedXml(sitemap(addresses.map((address) => ({ address: `x${address}` }))));
      expect(textsOf(root, "loc")).toEqual(addresses.map((address) => inXml(`x${address}`)));
    }),
  );
});
