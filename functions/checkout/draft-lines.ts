import type { LineChange, NewLine } from "#shared/domain/cart/cart-input.ts";
import { type StoredCartLine, isRemovedWith } from "#shared/domain/cart/cart.ts";
import { chosenMaterials } from "#shared/domain/cart/cart-lines.ts";
import {
  type Configuration,
  configurationId,
  normaliseConfiguration,
} from "#shared/domain/sofa/configuration.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { AppError, type FieldErrors } from "#shared/domain/request/app-error.ts";
import { PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { byName, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { type NamedItems, isId } from "./open-cart.ts";

/** A line of the new cart and its path in the request; null for an existing line. */
export interface DraftLine {
  readonly line: StoredCartLine;
  readonly path: string | null;
}

/** Turns cart lines into draft lines without changes. */
export const untouched = (lines: readonly StoredCartLine[]): DraftLine[] =>
  lines.map((line) => ({ line, path: null }));

/**
 * The lines of the new cart: existing ones with the requested changes, then new ones. Not priced yet.
 *
 * @throws AppError `validation_failed` naming every invalid item
 */
export async function draftLines(
  table: Table,
  existing: readonly StoredCartLine[],
  items: readonly (NewLine | LineChange)[],
  { named, now }: { named: NamedItems; now: Date },
): Promise<DraftLine[]> {
  const sofas = await readMoreSofas(table, existing, items, named);
  const errors: FieldErrors = {};
  let drafts = untouched(existing);

  for (const [index, item] of items.entries()) {
    const path = `items.${index}`;
    const refuse = (member: string, sentence: string): undefined => {
      errors[`${path}.${member}`] ??= [sentence];
    };
    switch (item.kind) {
      case "sku": {
        const line =
          lineOfSku(item, named, now) ?? refuse("sku", "There is no item with this SKU.");
        if (line) drafts.push({ line, path });
        break;
      }
      case "sofa": {
        const sofa = sofas.get(slugOf(item.sofa, named));
        const line = sofa
          ? lineOfSofa(item, sofa, now, refuse)
          : refuse("sofa", "There is no such sofa.");
        if (line) drafts.push({ line, path });
        break;
      }
      case "change":
        drafts = changed(drafts, item, { existing, path, sofas, refuse });
    }
  }

  if (Object.keys(errors).length > 0) throw invalidItems(errors);
  return drafts;
}

/** A 422 whose message is the first of the field errors. */
export function invalidItems(errors: FieldErrors): AppError {
  const message = Object.values(errors)[0]?.[0] ?? "The given data was invalid.";
  return new AppError("validation_failed", { message, errors });
}

type Refuse = (member: string, sentence: string) => undefined;

/**
 * Reads sofas that could not be read with the cart, because their slug was not known yet: new ones that the request
 * names by id, and those of lines whose configuration changes.
 */
async function readMoreSofas(
  table: Table,
  existing: readonly StoredCartLine[],
  items: readonly (NewLine | LineChange)[],
  named: NamedItems,
): Promise<ReadonlyMap<string, PublishedSofa>> {
  const unread = items
    .flatMap((item) => (item.kind === "sofa" ? slugOf(item.sofa, named) : []))
    .filter((slug) => !isId(slug) && !named.sofas.has(slug));
  const configured = items.flatMap((item) => {
    if (item.kind !== "change" || item.configuration === null) return [];
    const line = existing.find(({ id }) => id === item.id);
    return line?.kind === "sofa" ? line : [];
  });
  const { sofas, ofLines } = await table.getMany({
    sofas: unread.map((slug) => at(PublishedSofas, { slug })),
    ofLines: configured.map((line) => at(PublishedSofas, line)),
  });
  const found = { products: [], sofas: ofLines, materials: [], stock: [], quotes: [] };
  const facts = await readCatalogFacts(table, configured, found);
  return new Map([...named.sofas, ...byName(sofas, ({ slug }) => slug), ...facts.sofas]);
}

/** The slug of a sofa that a request names by slug or id. If no published sofa has the id, returns the id. */
function slugOf(name: string, { cards }: NamedItems): string {
  return isId(name) ? (cards.get(name)?.slug ?? name) : name;
}

function lineOfSku(
  { sku, quantity }: Extract<NewLine, { kind: "sku" }>,
  { stock }: NamedItems,
  now: Date,
): StoredCartLine | undefined {
  const owner = stock.get(sku)?.owner;
  if (!owner) return undefined;
  const line = { id: newId("line", now), sku, quantity, unit_price: 0 };
  if (owner.kind === "swatch") return { ...line, kind: "swatch", material_code: owner.slug };
  if (owner.variant_id === null) return undefined;
  return {
    ...line,
    kind: "product",
    product_id: owner.id,
    variant_id: owner.variant_id,
    slug: owner.slug,
  };
}

function lineOfSofa(
  item: Extract<NewLine, { kind: "sofa" }>,
  sofa: PublishedSofa,
  now: Date,
  refuse: Refuse,
): StoredCartLine | undefined {
  const configured = configuredAs(sofa, item.configuration, refuse);
  if (!configured) return undefined;
  const { quantity, upload_ids, note } = item;
  return {
    kind: "sofa",
    id: newId("line", now),
    quantity,
    unit_price: 0,
    sofa_id: sofa.id,
    slug: sofa.slug,
    ...configured,
    upload_ids,
    note,
  };
}

/**
 * The configuration as lines store it. Validates each option; the combination is validated later, with the
 * materials.
 */
function configuredAs(sofa: PublishedSofa, input: Configuration, refuse: Refuse) {
  const { configuration, errors } = normaliseConfiguration(sofa, input);
  for (const { option, message } of errors) refuse(`configuration.${option}`, message);
  if (errors.length > 0) return undefined;
  return {
    configuration,
    configuration_id: configurationId(sofa.model_version, configuration),
    material_codes: chosenMaterials(sofa, configuration),
  };
}

interface ChangeGiven {
  /** Lines of the cart before the request. */
  readonly existing: readonly StoredCartLine[];
  readonly path: string;
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
  readonly refuse: Refuse;
}

function changed(
  drafts: readonly DraftLine[],
  { id, quantity, configuration }: LineChange,
  { existing, path, sofas, refuse }: ChangeGiven,
): DraftLine[] {
  const before = drafts.find(({ line }) => line.id === id)?.line;
  if (!before) {
    // Another item of the same request may have removed this quoted line.
    const was = existing.find((line) => line.id === id);
    if (was?.kind !== "quoted") refuse("id", "The cart has no line with this id.");
    return [...drafts];
  }
  if (quantity === 0) return drafts.filter(({ line }) => !isRemovedWith(before, line));
  if (before.kind === "quoted" && quantity !== before.quantity) {
    refuse("quantity", "The quantity of a quoted line is fixed.");
  }
  const line = { ...before, quantity };
  if (configuration !== null) {
    const sofa = line.kind === "sofa" ? sofas.get(line.sofa_id) : undefined;
    if (!sofa) refuse("configuration", "This line cannot be configured.");
    else Object.assign(line, configuredAs(sofa, configuration, refuse));
  }
  return drafts.map((draft) => (draft.line.id === id ? { line, path } : draft));
}
