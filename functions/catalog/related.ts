import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { Slug } from "#shared/domain/base/names.ts";
import type { CardKind } from "#shared/domain/catalog/card.ts";
import { RelatedCard } from "#shared/domain/listing/related.ts";
import { CursorMeta } from "#shared/http/paging.ts";
import { wholeNumber } from "#shared/http/query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { bySlug } from "#shared/search/cards.ts";
import { relatedTo } from "#shared/search/related.ts";
import { noSuch } from "./kept-records.ts";

/** The route that lists what goes with a product or sofa. */
export const relatedRoute = (kind: CardKind, summary: string) =>
  route({
    method: "GET",
    path: `/${kind}s/{slug}/related`,
    summary,
    description:
      "Returns staff picks first, then products and sofas that share the category, room, style or price band.",
    access: anyone,
    cache: "public",
    request: {
      params: z.object({ slug: Slug }),
      query: z.strictObject({ limit: wholeNumber(1, 24).default(8) }),
    },
    response: { status: 200, data: z.array(RelatedCard), meta: CursorMeta },
    async handle({ params: { slug }, query: { limit } }, { indexReader }: Shop<"indexReader">) {
      const { index } = await indexReader.current();
      const address = bySlug(index, kind, slug);
      if (!address) noSuch(kind);
      const data = relatedTo(index, address.id, limit);
      return { data, meta: { per_page: limit, next_cursor: null } };
    },
  });
