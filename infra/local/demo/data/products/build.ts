import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { Product, ProductOption, Variant } from "#shared/domain/catalog/product.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { type FinishCode, finish } from "../finishes.ts";
import { tableManual, tableModel } from "#infra/local/demo/files/of-a-table.ts";
import { type DemoFile, type Drawing, addressOf } from "#infra/local/demo/gallery.ts";
import { currency, daysBefore, demoId, rupees, slugOf } from "#infra/local/demo/identity.ts";
import type { Piece } from "#infra/local/demo/pictures/compose.ts";
import { standingOf } from "#infra/local/demo/pictures/shapes.ts";
import { canvas, tone } from "#infra/local/demo/pictures/svg.ts";
import { drawLot, exhibit } from "#infra/local/demo/showroom.ts";
import { paragraphs } from "#infra/local/demo/words.ts";
import { careAdvice, type Line } from "./lines.ts";
import { madeOf, type Pieces, type ProductRow } from "./row.ts";

export interface DemoProduct {
  product: Product;
  stock: Stock[];
  drawings: Drawing[];
  /** The 3D model and the manual, if the product has them. */
  files: DemoFile[];
  /** The drawing of the product's first view. Pictures of furnished rooms use it. */
  piece: Piece;
}

/** The id of the product with this name. The product may be built later. */
export const productId = (name: string): string => demoId("prd", slugOf(name));

const paintOf = (row: ProductRow, look: FinishCode) => {
  const main = finish(look).hex;
  return {
    main,
    frame: row.frame ? finish(row.frame).hex : tone(main, -0.2),
    accent: finish(row.accent ?? "oat").hex,
  };
};

export function buildProduct(line: Line, row: ProductRow, now: Date): DemoProduct {
  const slug = slugOf(row.name);
  const [width, depth, height] = row.size;
  const drawnHeight = standingOf(row.shape) === "lying" ? depth : height;
  const views = row.looks.map((look) => ({
    note: `in ${finish(look).label.toLowerCase()}`,
    piece: { shape: row.shape, width, height: drawnHeight, paint: paintOf(row, look) },
  }));
  const { media, drawings } = exhibit({
    folder: `products/${slug}`,
    name: row.name,
    views,
    depth,
    furnished: line.furnished && standingOf(row.shape) === "floor",
  });
  const packages = line.pack(row.size, row.kg);
  const { model, manual } = modelled(line, row, packages);
  const variants = variantsOf(line, row, slug, media);
  const fresh = row.badges?.includes("New") ?? false;
  const published = fresh ? 2 + drawLot(slug, 16) : 24 + drawLot(slug, 260);
  const [min_days, max_days] = line.leadTime;
  const product: Product = {
    id: productId(row.name),
    status: "published",
    ...noTimes,
    slug,
    name: row.name,
    subtitle: row.subtitle,
    brand: null,
    description_html: paragraphs(row.about, row.points),
    category_slug: line.category,
    collection_slug: row.collection ?? null,
    rooms: [...(row.rooms ?? line.rooms)],
    styles: [...row.styles],
    tags: [...(row.tags ?? [])],
    badges: [...(row.badges ?? [])],
    currency,
    media: model
      ? [
          ...media,
          {
            id: model.id,
            type: "model_3d",
            role: "gallery",
            url: addressOf(model),
            alt: model.alt,
            width: canvas.width,
            height: canvas.height,
          },
        ]
      : media,
    dimensions: {
      width_mm: width,
      depth_mm: depth,
      height_mm: height,
      seat_height_mm: row.seat?.[0] ?? null,
      seat_depth_mm: row.seat?.[1] ?? null,
      arm_height_mm: row.seat?.[2] ?? null,
      diameter_mm: null,
      weight_g: Math.round(row.kg * 1000),
    },
    packages,
    materials: row.of.map((code) => ({ code, label: madeOf[code] })),
    care: careAdvice[line.care].map(([title, body]) => ({ title, body })),
    assembly: {
      required: line.assembly !== null,
      minutes: line.assembly?.[0] ?? null,
      people: line.assembly?.[1] ?? null,
      manual_url: manual ? addressOf(manual) : null,
    },
    warranty: [{ component: "Manufacturing defects", months: line.warrantyMonths }],
    delivery_classes: [...line.deliveryClasses],
    cod_eligible: row.price < 45_000 && !line.deliveryClasses.includes("heavy"),
    tax_class: row.of[0] === "cane" ? "cane_bamboo" : line.taxClass,
    hsn_code: line.hsn,
    seo: {
      title: `${row.name} | Dehleez`,
      description: `${row.subtitle}. ${row.about.split(/(?<=[.!?]) /)[0]}`.slice(0, 300),
    },
    lead_time: { min_days, max_days },
    backorder_lead_time: row.stock.includes("backorder") ? { min_days: 28, max_days: 42 } : null,
    related_ids: (row.related ?? []).map(productId),
    popularity:
      drawLot(`popularity of ${slug}`, 900) + (row.badges?.includes("Bestseller") ? 1000 : 0),
    version: 1,
    published_at: daysBefore(now, published),
    created_at: daysBefore(now, published + 12),
    updated_at: daysBefore(now, Math.min(published, 1 + drawLot(`change of ${slug}`, 20))),
    options: optionsOf(line, row),
    variants,
  };
  const stock = variants.map((variant, index) => stockOf(product, variant, row.stock[index], now));
  const files = [model, manual].filter((file) => file !== undefined);
  return { product, stock, drawings, files, piece: views[0]!.piece };
}

/** The 3D model and the manual of a product that has them. */
function modelled(line: Line, row: ProductRow, packages: Product["packages"]) {
  if (row.modelled === undefined || line.assembly === null) return {};
  const [minutes, people] = line.assembly;
  const folder = `products/${slugOf(row.name)}`;
  return {
    model: tableModel(row.name, finish(row.looks[0]!), row.size, folder),
    manual: tableManual({ name: row.name, packages }, { minutes, people }, folder),
  };
}

const sizeCode = (label: string) => slugOf(label.split(",")[0] ?? label);

function optionsOf(line: Line, { looks, sizes }: ProductRow): ProductOption[] {
  const look = {
    code: line.look.toLowerCase(),
    label: line.look,
    values: looks.map((code) => {
      const { label, hex, group } = finish(code);
      return { code, label, swatch: { hex, image: null, color_group: group } };
    }),
  };
  if (!sizes) return [look];
  const size = {
    code: "size",
    label: "Size",
    values: sizes.map(([label]) => ({ code: sizeCode(label), label, swatch: null })),
  };
  return [look, size];
}

function variantsOf(line: Line, row: ProductRow, slug: string, media: Product["media"]): Variant[] {
  const sizes = row.sizes ?? [null];
  const variants = sizes.flatMap((size) =>
    row.looks.map((look, index): Variant => {
      const [label, more, width, depth] = size ?? [null, 0, ...row.size];
      const kg = (row.kg * width) / row.size[0];
      const price = row.price + more;
      const code = label === null ? [] : [sizeCode(label)];
      const sku = [line.skuPrefix, slug.split("-").slice(0, 2).join("-"), look, ...code]
        .join("-")
        .toUpperCase();
      return {
        id: demoId("var", sku),
        sku,
        options: {
          [line.look.toLowerCase()]: look,
          ...(label !== null && { size: sizeCode(label) }),
        },
        price: rupees(price),
        compare_at_price: row.was === undefined ? null : rupees(row.was + more),
        cost: rupees(Math.round(price * 0.54)),
        weight_g: Math.round(kg * 1000),
        packages: size === null ? null : line.pack([width, depth, row.size[2]], kg),
        media_ids: [media[index]!.id],
      };
    }),
  );
  if (variants.length !== row.stock.length)
    throw new RangeError(`${row.name} has ${variants.length} variants`);
  return variants;
}

function stockOf(product: Product, variant: Variant, pieces: Pieces | undefined, now: Date): Stock {
  const count = typeof pieces === "number" ? pieces : 0;
  return {
    sku: variant.sku,
    owner: { kind: "product", id: product.id, slug: product.slug, variant_id: variant.id },
    on_hand: count,
    reserved: 0,
    available: count,
    policy: pieces === "backorder" ? "backorder" : "deny",
    low_stock_threshold: 3,
    version: 1,
    updated_at: daysBefore(now, 1),
  };
}
