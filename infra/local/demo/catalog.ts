import type { Category } from "#shared/domain/catalog/category.ts";
import type { CardReference } from "#shared/domain/content/content.ts";
import type { Material } from "#shared/domain/catalog/material.ts";
import { type StoredPicture, mainPicture } from "#shared/domain/upload/media.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { demoCategories } from "./data/categories.ts";
import type { DemoFile, Drawing } from "./gallery.ts";
import { daysBefore } from "./identity.ts";
import { demoMaterials } from "./data/materials.ts";
import type { Piece } from "./pictures/compose.ts";
import { demoProducts } from "./data/products/all.ts";
import { demoSofas } from "./data/sofas/build.ts";

export interface DemoCatalog {
  categories: Category[];
  materials: Material[];
  products: Product[];
  sofas: Sofa[];
  stock: Stock[];
  drawings: Drawing[];
  /** Further files of the media library: 3D models and manuals. */
  files: DemoFile[];
  /** Finds a product or sofa by its name, for stories and the homepage to refer to and to draw. */
  find(name: string): { reference: CardReference; piece: Piece; picture: StoredPicture };
}

export function demoCatalog(now: Date): DemoCatalog {
  const materials = demoMaterials(now);
  const products = demoProducts(now);
  const sofas = demoSofas(
    materials.map(({ material }) => material),
    now,
  );
  const sellables = [...sofas.map(({ sofa }) => sofa), ...products.map(({ product }) => product)];

  const categories: Category[] = demoCategories((kind, slug) => {
    const shown = sellables.find((each) => {
      switch (kind) {
        case "category":
          return each.category_slug === slug;
        case "collection":
          return each.collection_slug === slug;
        case "room":
          return each.rooms.includes(slug);
        case "style":
          return each.styles.includes(slug);
      }
    });
    return shown ? mainPicture(shown.media) : null;
  });

  const byCardName = new Map(
    [
      ...products.map(({ product, piece }) => ({
        record: product,
        kind: "product" as const,
        piece,
      })),
      ...sofas.map(({ sofa, piece }) => ({ record: sofa, kind: "sofa" as const, piece })),
    ].map(({ record, kind, piece }) => [
      record.name,
      { reference: { kind, id: record.id }, piece, picture: mainPicture(record.media)! },
    ]),
  );

  return {
    categories: withParents(categories),
    materials: materials.map(({ material }) => material),
    products: products.map(({ product }) => product),
    sofas: sofas.map(({ sofa }) => sofa),
    stock: [
      ...products.flatMap(({ stock }) => stock),
      ...swatchStock(
        materials.map(({ material }) => material),
        now,
      ),
    ],
    drawings: [...products, ...sofas]
      .flatMap(({ drawings }) => drawings)
      .concat(materials.map(({ drawing }) => drawing)),
    files: products.flatMap(({ files }) => files),
    find(name) {
      const one = byCardName.get(name);
      if (!one) throw new RangeError(`The shop has no ${name}`);
      return one;
    },
  };
}

/** Gives a category without a picture the picture of its first subcategory. */
function withParents(categories: Category[]): Category[] {
  return categories.map((category) => ({
    ...category,
    image:
      category.image ??
      categories.find(({ parent_id }) => parent_id === category.id)?.image ??
      null,
  }));
}

function swatchStock(materials: readonly Material[], now: Date): Stock[] {
  return materials.flatMap(({ id, code, swatch, availability }) => {
    if (swatch.sku === null) return [];
    const pieces = availability === "low_stock" ? 4 : availability === "out_of_stock" ? 0 : 150;
    return [
      {
        sku: swatch.sku,
        owner: { kind: "swatch", id, slug: code, variant_id: null },
        on_hand: pieces,
        reserved: 0,
        available: pieces,
        policy: "deny",
        low_stock_threshold: 5,
        version: 1,
        updated_at: daysBefore(now, 1),
      },
    ];
  });
}
