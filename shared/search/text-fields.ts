import type { SearchText } from "#shared/domain/catalog/card.ts";
import { namesOf } from "#shared/domain/base/members.ts";

/** For each field: its bit in the postings, and its weight. */
const fields = {
  name: { bit: 1, weight: 5 },
  kind: { bit: 2, weight: 5 },
  noun: { bit: 4, weight: 1 },
  attributes: { bit: 8, weight: 2.5 },
  subtitle: { bit: 16, weight: 2 },
  context: { bit: 32, weight: 1.5 },
  body: { bit: 64, weight: 0.6 },
} as const satisfies Record<keyof SearchText, { bit: number; weight: number }>;

export const textFields = namesOf(fields);

export const weightOf = (field: keyof SearchText): number => fields[field].weight;

export const bitOf = (field: keyof SearchText): number => fields[field].bit;

/** The bit of the field that says what the item is. */
export const inKind = fields.kind.bit;
export const inNoun = fields.noun.bit;
export const inName = fields.name.bit;
export const inContext = fields.context.bit;
export const anyField = 127;
export const outsideBody = anyField & ~fields.body.bit;

/** How soon further fields stop adding to a score, as k1 in BM25. */
const saturation = 2.5;

/** A term's score by the fields that contain it: the sum of their weights, saturated. */
export const fieldScores = Float32Array.from({ length: 128 }, (_, bits) => {
  const sum = textFields.reduce((sum, field) => {
    const { bit, weight } = fields[field];
    return sum + ((bits & bit) === 0 ? 0 : weight);
  }, 0);
  return sum / (sum + saturation);
});
