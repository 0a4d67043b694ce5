import type { Category, CategoryKind } from "./category.ts";
import type { Problem } from "../base/names.ts";
import type { Product, Sellable } from "./product.ts";

const taken = (what: string) => `The ${what} has already been taken.`;

/** Indexes of repeated values. */
export function repeated(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

/** The problems that prevent publishing a product. */
export function checkProduct(product: Product, categories: readonly Category[]): Problem[] {
  return [
    ...checkSellable(product, categories),
    ...checkOptions(product),
    ...checkVariants(product),
  ];
}

/** The problems that prevent storing a product: a draft may be incomplete, but not contradictory. */
export const checkDraftProduct = (product: Product, categories: readonly Category[]): Problem[] =>
  checkProduct(product, categories).filter(({ path }) => path !== "variants");

/** The problems that prevent publishing, for the members that products and sofas share. */
export function checkSellable(record: Sellable, categories: readonly Category[]): Problem[] {
  const known = (kind: CategoryKind, slug: string) =>
    categories.some((category) => category.kind === kind && category.slug === slug);
  const unknown = (kind: CategoryKind, slug: string | null, path: string): Problem[] =>
    slug === null || known(kind, slug) ? [] : [{ path, message: `There is no ${kind} "${slug}".` }];
  return [
    ...unknown("category", record.category_slug, "category_slug"),
    ...unknown("collection", record.collection_slug, "collection_slug"),
    ...record.rooms.flatMap((slug, index) => unknown("room", slug, `rooms.${index}`)),
    ...record.styles.flatMap((slug, index) => unknown("style", slug, `styles.${index}`)),
    ...repeated(record.media.map(({ id }) => id)).map((index) => ({
      path: `media.${index}.id`,
      message: taken("media item"),
    })),
    ...record.related_ids.flatMap((id, index) =>
      id === record.id
        ? [{ path: `related_ids.${index}`, message: "A product cannot be related to itself." }]
        : [],
    ),
    ...(record.lead_time.min_days > record.lead_time.max_days
      ? [
          {
            path: "lead_time.max_days",
            message: "The maximum lead time cannot be below the minimum.",
          },
        ]
      : []),
  ];
}

/** The problem of a reserved slug: a sofa cannot be called `materials`, because `GET /sofas/materials` is a route. */
export const checkSofaSlug = (slug: string): Problem[] =>
  slug === "materials" ? [{ path: "slug", message: "This slug is reserved." }] : [];

function checkOptions({ options }: Product): Problem[] {
  return [
    ...repeated(options.map(({ code }) => code)).map((index) => ({
      path: `options.${index}.code`,
      message: taken("code"),
    })),
    ...options.flatMap(({ values }, index) =>
      repeated(values.map(({ code }) => code)).map((value) => ({
        path: `options.${index}.values.${value}.code`,
        message: taken("code"),
      })),
    ),
  ];
}

function checkVariants({ options, variants, media }: Product): Problem[] {
  if (variants.length === 0) {
    return [{ path: "variants", message: "The product needs at least one variant." }];
  }
  const combination = (chosen: Record<string, string>) =>
    JSON.stringify(options.map(({ code }) => (Object.hasOwn(chosen, code) ? chosen[code] : null)));
  const doubles = (member: string, values: string[]) =>
    repeated(values).map((index) => ({
      path: `variants.${index}.${member}`,
      message: taken(member === "options" ? "combination of options" : member),
    }));
  return [
    ...doubles(
      "id",
      variants.map(({ id }) => id),
    ),
    ...doubles(
      "sku",
      variants.map(({ sku }) => sku),
    ),
    ...doubles(
      "options",
      variants.map((variant) => combination(variant.options)),
    ),
    ...variants.flatMap((variant, index) => {
      const problems: Problem[] = [];
      const at = (member: string, message: string) =>
        problems.push({ path: `variants.${index}.${member}`, message });
      for (const { code, label, values } of options) {
        const value = Object.hasOwn(variant.options, code) ? variant.options[code] : undefined;
        if (value === undefined) at(`options.${code}`, `Choose a ${label} for this variant.`);
        else if (!values.some((offered) => offered.code === value)) {
          at(`options.${code}`, `${label} does not offer "${value}".`);
        }
      }
      for (const code of Object.keys(variant.options)) {
        if (!options.some((option) => option.code === code)) {
          at(`options.${code}`, `The product has no option "${code}".`);
        }
      }
      if (variant.compare_at_price !== null && variant.compare_at_price <= variant.price) {
        at("compare_at_price", "The compare at price must be above the price.");
      }
      variant.media_ids.forEach((id, position) => {
        if (!media.some((item) => item.id === id)) {
          at(`media_ids.${position}`, "The product has no such media item.");
        }
      });
      return problems;
    }),
  ];
}

type Before<Of extends Sellable> = Of | undefined;

const isSet = <Of extends Sellable>(before: Before<Of>, after: Of): boolean =>
  before?.status !== after.status;

/**
 * The problems of prices of 0. They are judged when a price or the status is written, so that a record stored before
 * stays editable.
 */
export function freeVariants(before: Before<Product>, after: Product): Problem[] {
  const prices = new Map(before?.variants.map(({ id, price }) => [id, price]));
  return after.variants.flatMap(({ id, price }, index) =>
    price === 0 && (isSet(before, after) || prices.get(id) !== 0)
      ? [{ path: `variants.${index}.price`, message: "The price must be at least 1." }]
      : [],
  );
}

/** Whether an edit publishes a record, or takes the HSN code of a published one. */
export const needsHsnCode = (before: Before<Sellable>, after: Sellable): boolean =>
  after.status === "published" &&
  after.hsn_code === null &&
  (isSet(before, after) || before?.hsn_code !== null);

/** The problem of a missing HSN code, which invoices in India must show. */
export const missingHsnCode: Problem = {
  path: "hsn_code",
  message: "The hsn code field is required to publish in India.",
};
