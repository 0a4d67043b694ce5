import type { Problem } from "../base/names.ts";
import type { Category } from "../catalog/category.ts";
import { checkSellable, checkSofaSlug } from "../catalog/product-problems.ts";
import { type Publication, placed } from "../catalog/publish.ts";
import { checkSofaModel } from "./sofa-model.ts";
import { PublishedSofa, type Sofa } from "./sofa.ts";

/** The published copy of a sofa, or what keeps it from having one. */
export function publishSofa(
  sofa: Sofa,
  categories: readonly Category[],
  now: Date,
): Publication<PublishedSofa> {
  const problems = checkSofa(sofa, categories);
  if (problems.length > 0) return { ok: false, problems };
  const published = { ...sofa, ...placed(sofa, categories, now), kind: "sofa" };
  return { ok: true, published: PublishedSofa.parse(published) };
}

/** What keeps a sofa from being published. */
export function checkSofa(sofa: Sofa, categories: readonly Category[]): Problem[] {
  return [...checkSofaSlug(sofa.slug), ...checkSellable(sofa, categories), ...checkSofaModel(sofa)];
}
