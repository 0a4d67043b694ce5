import type { Problem } from "../base/names.ts";
import type { Category } from "../catalog/category.ts";
import { checkSellable, checkSofaSlug } from "../catalog/product-problems.ts";
import { type Publication, placed } from "../catalog/publish.ts";
import { checkSofaModel } from "./sofa-model.ts";
import { PublishedSofa, type Sofa } from "./sofa.ts";

/** The published copy of a sofa, or the problems that prevent it. */
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

/** The problems that prevent publishing a sofa. */
export function checkSofa(sofa: Sofa, categories: readonly Category[]): Problem[] {
  return [...checkSofaSlug(sofa.slug), ...checkSellable(sofa, categories), ...checkSofaModel(sofa)];
}
