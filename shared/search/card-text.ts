import type { ParsedJson } from "#shared/domain/base/parsed-json.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import { rowOfDoc, type CatalogIndex } from "./catalog-index.ts";
import { stringAt } from "./string-column.ts";

/** A card as JSON text. */
export function cardAt(index: CatalogIndex, doc: number): ParsedJson {
  const [segment, row] = rowOfDoc(index, doc);
  // An entry's card has the type `ParsedValue`, so a segment contains only parsed cards.
  return stringAt(segment.cards, row) as ParsedJson;
}

/** Parses a card from its JSON text in the catalog index. */
export const cardOf = (text: ParsedJson): Card =>
  // The catalog index contains only cards that `Card` has parsed.
  JSON.parse(text) as Card;
