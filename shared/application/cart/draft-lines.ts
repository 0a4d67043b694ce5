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
import {
  Cards,
  PublishedSofas,
  type SkuClaim,
  SkuClaims,
} from "#shared/storage/catalog/catalog.ts";
import { byName, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/** A line of the new cart and its path in the request; null for an existing line. */
export interface DraftLine {
  readonly line: StoredCartLine;
  readonly path: string | null;
}

/** The published records that a request names. */
interface NamedItems {
  readonly claims: ReadonlyMap<string, SkuClaim>;
  /** By slug and by id. */
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
}

/**
 * The answer for a new line whose SKU cannot be bought. An item that is not published gets the answer of an unknown
 * SKU, so that nobody learns the name of a draft.
 */
export const unknownSku = "There is no item with this SKU.";

/** Turns cart lines into draft lines without changes. */
export const untouched = (lines: readonly StoredCartLine[]): DraftLine[] =>
  lines.map((line) => ({ line, path: null }));

/**
 * The lines of the new cart without prices: existing lines with the requested changes, then new lines.
 *
 * @param options.paths of the items in the request; by default `items.0` and so on
 * @throws AppError `validation_failed` naming every invalid item
 */
export async function draftLines(
  getMany: Table["getMany"],
  existing: readonly StoredCartLine[],
  items: readonly (NewLine | LineChange)[],
  { now, paths }: { readonly now: Date; readonly paths?: readonly string[] },
): Promise<DraftLine[]> {
  const { claims, sofas } = await readNamed(getMany, existing, items);
  const errors: FieldErrors = {};
  let drafts = untouched(existing);

  for (const [index, item] of items.entries()) {
    const path = paths?.[index] ?? `items.${index}`;
    const refuse = (member: string, sentence: string): undefined => {
      errors[`${path}.${member}`] ??= [sentence];
    };
    switch (item.kind) {
      case "sku": {
        const line = lineOfSku(item, claims, now) ?? refuse("sku", unknownSku);
        if (line) drafts.push({ line, path });
        break;
      }
      case "sofa": {
        const sofa = sofas.get(item.sofa);
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

/** A 422 error. Its message is that of the first field error. */
export function invalidItems(errors: FieldErrors): AppError {
  const message = Object.values(errors)[0]?.[0] ?? "The given data was invalid.";
  return new AppError("validation_failed", { message, errors });
}

type Refuse = (member: string, sentence: string) => undefined;

/** Reads what new lines name, and the sofas of lines whose configuration changes. */
async function readNamed(
  getMany: Table["getMany"],
  existing: readonly StoredCartLine[],
  items: readonly (NewLine | LineChange)[],
): Promise<NamedItems> {
  const skus = items.flatMap((item) => (item.kind === "sku" ? item.sku : []));
  const sofas = items.flatMap((item) => (item.kind === "sofa" ? item.sofa : []));
  const configured = items.flatMap((item) => {
    if (item.kind !== "change" || item.configuration === null) return [];
    const line = existing.find(({ id }) => id === item.id);
    return line?.kind === "sofa" ? line : [];
  });
  const records = await getMany({
    claims: skus.map((sku) => at(SkuClaims, { sku })),
    bySlug: sofas.filter((name) => !isId(name)).map((slug) => at(PublishedSofas, { slug })),
    cards: sofas.filter(isId).map((id) => at(Cards, { id })),
    ofLines: configured.map((line) => at(PublishedSofas, line)),
  });
  const cards = records.cards.filter((card) => card !== undefined);
  const { byId } = await getMany({ byId: cards.map((card) => at(PublishedSofas, card)) });
  const unread = { products: [], materials: [], stock: [], quotes: [] };
  const facts = await readCatalogFacts(getMany, configured, { ...unread, sofas: records.ofLines });
  return {
    claims: byName(records.claims, ({ sku }) => sku),
    sofas: new Map([
      ...byName(records.bySlug, ({ slug }) => slug),
      ...byName(byId, ({ id }) => id),
      ...facts.sofas,
    ]),
  };
}

/** Whether `name` is the id of a sofa. Ids of other kinds are excluded, because their cards have the same keys. */
const isId = (name: string): boolean => name.startsWith("sofa_");

function lineOfSku(
  { sku, quantity }: Extract<NewLine, { kind: "sku" }>,
  claims: NamedItems["claims"],
  now: Date,
): StoredCartLine | undefined {
  const claim = claims.get(sku);
  if (!claim) return undefined;
  const { stock_id, owner } = claim;
  const line = { id: newId("line", now), sku, quantity, unit_price: 0 };
  if (owner.kind === "swatch") return { ...line, kind: "swatch", material_code: owner.slug };
  return {
    ...line,
    kind: "product",
    product_id: owner.id,
    variant_id: stock_id,
    slug: owner.slug,
  };
}

function lineOfSofa(
  item: Extract<NewLine, { kind: "sofa" }>,
  sofa: PublishedSofa,
  now: Date,
  refuse: Refuse,
): StoredCartLine {
  const { quantity, upload_ids, note } = item;
  return {
    kind: "sofa",
    id: newId("line", now),
    quantity,
    unit_price: 0,
    sofa_id: sofa.id,
    slug: sofa.slug,
    ...configuredAs(sofa, item.configuration, refuse),
    upload_ids,
    note,
  };
}

/**
 * Returns the configuration in the form that cart lines store. Validates each option by itself; the combination is
 * validated later, when the materials have been read.
 */
function configuredAs(sofa: PublishedSofa, input: Configuration, refuse: Refuse) {
  const { configuration, errors } = normaliseConfiguration(sofa, input);
  for (const { option, message } of errors) refuse(`configuration.${option}`, message);
  return {
    configuration,
    configuration_id: configurationId(sofa.model_version, configuration),
    material_codes: chosenMaterials(sofa, configuration),
  };
}

interface ChangeContext {
  /** Lines of the cart before the request. */
  readonly existing: readonly StoredCartLine[];
  readonly path: string;
  readonly sofas: NamedItems["sofas"];
  readonly refuse: Refuse;
}

function changed(
  drafts: readonly DraftLine[],
  { id, quantity, configuration }: LineChange,
  { existing, path, sofas, refuse }: ChangeContext,
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
