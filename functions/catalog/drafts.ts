import type { Shop } from "#shared/application/shop.ts";
import { foundOrLinkInvalid, previewTargetId } from "#shared/application/content/preview-links.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import { type Publication, publishProduct } from "#shared/domain/catalog/publish.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { CategoryTree, Products, Sofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import { at } from "#shared/storage/reads.ts";

/** A call with a preview link: the link's token, the requested slug, and the time of the call. */
interface PreviewRequest {
  readonly token: string;
  readonly slug: string;
  readonly now: Date;
}

/**
 * The draft of a product that a preview link shows, as it would be published now, with the stock of its variants.
 *
 * @throws AppError `not_found`, `validation_failed` if the draft is incomplete
 */
export async function draftProduct(
  { token, slug, now }: PreviewRequest,
  { table }: Shop<"table">,
): Promise<{ product: PublishedProduct; stock: Stock[] }> {
  const id = await previewTargetId(table, token, { kind: "product", slug }, now);
  const { drafts, trees } = await table.getMany({
    drafts: [at(Products, { id })],
    trees: [at(CategoryTree, {})],
  });
  const draft = foundOrLinkInvalid(drafts[0]);
  const product = complete(publishProduct(draft, trees[0]?.categories ?? [], now));
  const { stock } = await table.getMany({
    stock: product.variants.map((variant) => at(Stocks, variant)),
  });
  return { product, stock: stock.filter((row) => row !== undefined) };
}

/** The draft of a sofa that a preview link shows. Throws as `draftProduct` does. */
export async function draftSofa(
  { token, slug, now }: PreviewRequest,
  { table }: Shop<"table">,
): Promise<PublishedSofa> {
  const id = await previewTargetId(table, token, { kind: "sofa", slug }, now);
  const { drafts, trees } = await table.getMany({
    drafts: [at(Sofas, { id })],
    trees: [at(CategoryTree, {})],
  });
  return complete(publishSofa(foundOrLinkInvalid(drafts[0]), trees[0]?.categories ?? [], now));
}

function complete<Of>(publication: Publication<Of>): Of {
  if (publication.ok) return publication.published;
  throw invalidFields(publication.problems);
}
