import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Card, PublicCard } from "#shared/domain/catalog/card.ts";
import { parsedBy, parsedJson } from "#shared/domain/base/parsed-json.ts";
import { publicCard } from "#shared/search/public-card.ts";
import { aCard } from "#test/support/shop/builders.ts";

const folder = "https://media.example.com/uploads/med_01KE66PJA0M594E921BVM9D6BK/";
const url = fc.constantFrom(
  `${folder}original-1200x900-d9cbb2.webp`,
  `${folder}original.jpg`,
  `${folder}800.webp`,
  "https://media.example.com/chairs/oslo.webp",
);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"image":null}', '{"url":"x"}', '\\"image":"x"}', "}"),
);
const image = fc.option(
  fc.record({
    url,
    alt: text,
    width: fc.integer({ min: 1, max: 9_000 }),
    height: fc.integer({ min: 1, max: 9_000 }),
  }),
);
const swatches = fc.array(
  fc.record({
    code: text,
    label: text,
    hex: fc.option(text),
    sku: fc.option(text),
    image: fc.option(url),
  }),
  { maxLength: 3 },
);

test("the text of a card is completed to what its schema makes of the card", () => {
  fc.assert(
    fc.property(image, swatches, text, (picture, colours, name) => {
      const card = parsedBy(
        Card,
        aCard({ name, subtitle: name, image: picture, swatches: colours }),
      );
      expect(JSON.parse(publicCard(parsedJson(card)))).toEqual(PublicCard.parse(card));
    }),
  );
});
