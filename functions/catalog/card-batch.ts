import type * as z from "zod";
import type { CardKind } from "#shared/domain/catalog/card.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { type NumberedPage, numberedMeta, pageLinks } from "#shared/http/paging.ts";
import { anyOf } from "#shared/http/query.ts";
import type { SerializedList } from "#shared/http/route.ts";
import { bySlug, cardText } from "#shared/search/cards.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { publicCard } from "#shared/search/public-card.ts";
import type { CardListMeta } from "./card-list.ts";

/** The most cards that a call may name. */
const most = 100;

const description =
  `Comma-separated, at most ${most}. Returns these cards on one page, in this order, without unpublished ones. ` +
  "Excludes filters and sort";

/** The query parameters that name cards. */
export const batchOf = (prefix: "prd" | "sofa", id: string, slug: string) => ({
  ids: anyOf(Id(prefix), id, {
    most,
    length: 3_700,
    description,
  }),
  slugs: anyOf(Slug, slug, { most, length: 8_200, description }),
});

interface Batch {
  readonly ids?: readonly string[] | undefined;
  readonly slugs?: readonly string[] | undefined;
}

/** Whether the query names cards. */
export const isBatch = ({ ids, slugs }: Batch): boolean => ids !== undefined || slugs !== undefined;

/** Adds the rule that names of cards exclude filters, words and sort. */
export const asBatch = <Schema extends z.ZodType<Batch & NumberedPage>>(schema: Schema): Schema =>
  schema.superRefine((query, context) => {
    if (!isBatch(query)) return;
    const by = query.ids === undefined ? "slugs" : "ids";
    const { [by]: _names, page: _page, per_page: _size, ...others } = query;
    for (const [name, value] of Object.entries(others)) {
      if (value === undefined) continue;
      const message = `The ${name.replaceAll("_", " ")} field must not be sent with ${by}.`;
      context.addIssue({ code: "custom", path: [name], message });
    }
  });

/**
 * The named cards as one page of a list.
 *
 * @throws AppError `validation_failed` when another page is wanted
 */
export function answerBatch<Further extends object>(
  { index }: Catalog,
  { kind, path }: { readonly kind: CardKind; readonly path: string },
  query: Batch & NumberedPage,
  furtherMeta: Further,
): SerializedList<z.input<typeof CardListMeta> & Further> {
  const { slugs = [], ids = slugs.map((slug) => bySlug(index, kind, slug)?.id) } = query;
  const texts = [...new Set(ids)].map((id) => (id === undefined ? undefined : cardText(index, id)));
  const rows = texts.filter((text) => text !== undefined).map(publicCard);
  const asked = { ...query, per_page: most };
  const paging = numberedMeta(asked, rows.length);
  return { rows, meta: { ...paging, ...furtherMeta }, links: pageLinks(path, asked, paging) };
}
