import { pathToFileURL } from "node:url";
import { cardText } from "#shared/search/cards.ts";
import { catalogIndex, compacted } from "#shared/search/catalog-index.ts";
import { catalogPage, type CatalogQuery } from "#shared/search/catalog-page.ts";
import { relatedTo } from "#shared/search/related.ts";
import { type IndexEntry, emptySegment, segmentOf } from "#shared/search/segment.ts";
import { decodeBase, encodeBase } from "#shared/search/index-format.ts";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { Card } from "#shared/domain/catalog/card.ts";

export interface CatalogIndexRow {
  cards: number;
  what: string;
  /** Median CPU time in microseconds. */
  us: number;
}

const list: CatalogQuery = {
  kind: "product",
  filters: { color: ["grey", "blue"], material: ["teak", "oak"], room: ["living-room"] },
  sort: "price",
  page: 1,
  per_page: 24,
};

const questions: Record<string, CatalogQuery> = {
  "filter by 3 facets, sort, page": list,
  "the same with facet counts": { ...list, facets: true },
  "everything, page 10, facet counts": { kind: "product", page: 10, per_page: 24, facets: true },
  "price range, newest": {
    kind: "product",
    price_min: 1_000_000,
    price_max: 5_000_000,
    sort: "newest",
    page: 1,
    per_page: 24,
  },
  "text, two words": { q: "teak lounge", page: 1, per_page: 24 },
  "text, a beginning": { q: "bookc", page: 1, per_page: 24 },
  "text, two letters": { q: "so", page: 1, per_page: 24 },
  "text, a slip": { q: "velvte", page: 1, per_page: 24 },
  "a SKU": { q: "SKU-77", page: 1, per_page: 24 },
  "text, four words, facets": {
    q: "grey velvet lounge chair",
    page: 1,
    per_page: 24,
    facets: true,
  },
};

/** Costs of the catalog index at each size: to query it, load it, apply 250 changes to it, and store it anew. */
export function measureCatalogIndex(sizes: readonly number[]): CatalogIndexRow[] {
  return sizes.flatMap((cards) => {
    const rows: CatalogIndexRow[] = [];
    const measure = (what: string, work: () => unknown, times: number) =>
      rows.push({ cards, what, us: medianMicroseconds(work, times) });
    const segment = segmentOf(someEntries(cards));
    const index = catalogIndex(segment, emptySegment);
    for (const [what, query] of Object.entries(questions)) {
      measure(what, () => catalogPage(index, query), 300);
    }
    measure("card by id", () => cardText(index, `prd_${cards >> 1}`), 300);
    measure("8 related", () => relatedTo(index, `prd_${cards >> 1}`, 8), 100);
    const stored = encodeBase({ segment, documents: {} });
    measure(
      `load a base of ${Math.ceil(stored.length / 1024)} KB`,
      () => catalogIndex(decodeBase(stored).segment, emptySegment),
      5,
    );
    const changes = someEntries(Math.min(250, cards));
    measure(
      `lay ${changes.length} changes over it`,
      () => catalogIndex(segment, segmentOf(changes)),
      5,
    );
    measure(
      "make the next base",
      () => encodeBase({ segment: compacted(index), documents: {} }),
      1,
    );
    return rows;
  });
}

function medianMicroseconds(work: () => unknown, times: number): number {
  for (let warm = 0; warm < times / 3; warm += 1) work();
  const samples = Array.from({ length: times }, () => {
    const started = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - started) / 1_000;
  });
  return samples.toSorted((a, b) => a - b)[times >> 1]!;
}

const vocabulary = {
  color: [
    "grey",
    "blue",
    "green",
    "beige",
    "white",
    "black",
    "red",
    "yellow",
    "brown",
    "pink",
    "natural",
    "multicolor",
  ],
  material: [
    "teak",
    "oak",
    "sheesham",
    "mango",
    "velvet",
    "linen",
    "leather",
    "cane",
    "marble",
    "brass",
    "steel",
    "jute",
  ],
  room: ["living-room", "bedroom", "dining-room", "study", "balcony", "hallway"],
  style: [
    "mid-century",
    "scandinavian",
    "industrial",
    "classic",
    "bohemian",
    "coastal",
    "japandi",
    "art-deco",
  ],
  type: [
    "lounge chair",
    "dining table",
    "bookcase",
    "sofa",
    "bed",
    "side table",
    "wardrobe",
    "stool",
    "bench",
    "lamp",
  ],
  city: [
    "Oslo",
    "Bergen",
    "Jaipur",
    "Lisbon",
    "Kyoto",
    "Madras",
    "Turin",
    "Porto",
    "Delft",
    "Malmö",
    "Udaipur",
    "Como",
  ],
};

/** A reproducible catalog; ids are `prd_0…`, and every card has some unique words. */
export function someEntries(count: number): IndexEntry[] {
  let state = 42;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = (from: readonly string[]) => from[below(from.length)]!;
  const syllables = [
    "ka",
    "lo",
    "mi",
    "ren",
    "tav",
    "su",
    "bel",
    "dor",
    "fi",
    "gran",
    "hol",
    "vik",
  ];
  const coined = () => one(syllables) + one(syllables) + one(syllables);
  return Array.from({ length: count }, (_, at) => {
    const [color, material, room, style, type] = [
      one(vocabulary.color),
      one(vocabulary.material),
      one(vocabulary.room),
      one(vocabulary.style),
      one(vocabulary.type),
    ];
    const name = `${one(vocabulary.city)} ${coined()} ${material} ${type}`;
    const picture = {
      url: `media://products/${at}/front.webp`,
      alt: `${name}, ${color}`,
      width: 1600,
      height: 1200,
    };
    const body = `A ${style} ${type} in ${color} ${material} for the ${room}. ${Array.from({ length: 20 }, coined).join(" ")} ${Array.from({ length: 6 }, () => one(Object.values(vocabulary)[below(6)]!)).join(" ")}`;
    return {
      card: parsedBy(Card, {
        id: `prd_${at}`,
        kind: "product",
        slug: `${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}-${at}`,
        name,
        subtitle: `In ${color} ${material}`,
        category: { slug: type.replaceAll(" ", "-"), name: type },
        variant_id: null,
        sku: null,
        image: picture,
        currency: "INR",
        price: (10 + below(9_000)) * 1_000,
        compare_at_price: null,
        price_from: false,
        badges: [],
        swatches: [{ code: color, label: color, hex: "#777777", sku: null, image: null }],
        availability: {
          state: "in_stock",
          quantity: null,
          lead_time: { min_days: 2, max_days: 5 },
        },
      }),
      facets: {
        category: ["furniture", type.replaceAll(" ", "-")],
        collection: [`collection-${below(40)}`],
        room: [room, one(vocabulary.room)],
        style: [style],
        material: [material, one(vocabulary.material)],
        color: [color, one(vocabulary.color)],
        tag: [`tag-${below(60)}`],
      },
      variants: [],
      seats: [],
      width_mm: 400 + below(2_000),
      depth_mm: 400 + below(800),
      height_mm: 400 + below(1_500),
      in_stock: below(10) > 1,
      sold_out: below(10) === 0,
      published_at: new Date(Date.UTC(2026, 0, 1) + below(300) * 86_400_000).toISOString(),
      popularity: below(1_000),
      related_ids: [],
      skus: [`SKU-${at}`],
      looks: [],
      text: {
        name,
        kind: type,
        noun: type.split(" ").at(-1) ?? type,
        attributes: `${color}\n${material}`,
        subtitle: `In ${color} ${material}`,
        context: `${room}\n${style}`,
        body,
      },
    };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const sizes = process.argv.slice(2).map(Number);
  console.table(measureCatalogIndex(sizes.length > 0 ? sizes : [100, 1_000, 10_000, 50_000]));
}
