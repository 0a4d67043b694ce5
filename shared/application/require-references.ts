import type { Categories } from "../domain/catalog/category.ts";
import { linkTargets } from "../domain/content/content.ts";
import type { RecordReference } from "../domain/base/references.ts";
import type { Problem } from "../domain/base/names.ts";
import type { Sellable } from "../domain/catalog/product.ts";
import { type MediaItem, mediaItemsIn } from "../domain/upload/media-item.ts";
import { pathOf, redirectId } from "../domain/content/redirect.ts";
import { defaultSettings } from "../domain/settings/default-settings.ts";
import { redirectHosts } from "../domain/settings/store-settings.ts";
import { isAtRoot } from "../domain/settings/storefront-paths.ts";
import { taxClasses } from "../domain/settings/tax-settings.ts";
import {
  CategoryTree,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Products,
  SlugClaims,
  Sofas,
} from "../storage/catalog/catalog.ts";
import { PublishedStories, Stories } from "../storage/content/content.ts";
import { FaqGroups } from "../storage/content/faqs.ts";
import {
  ReferenceEpochs,
  type ReferenceTarget,
  type User,
  mostUsers,
  usersOf,
  guardNoRemovalSince,
  guardNoReferenceSince,
} from "../storage/catalog/references.ts";
import type { Referring } from "../storage/entity.ts";
import { type Read, at } from "../storage/reads.ts";
import { RedirectRows } from "../storage/content/redirects.ts";
import { SettingsRows, readSettings, savedOrDefault } from "../storage/settings/settings.ts";
import { MediaItems } from "../storage/upload/media.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";
import { AppError, invalidFields } from "../domain/request/app-error.ts";
import { pictureMissing, pictureReferences, shows } from "./pictures.ts";

/** The references of a record of an entity, with those to pictures if its records show pictures. */
export const referencesIn = (
  { refers, showsPictures }: { readonly refers?: Referring; readonly showsPictures?: boolean },
  record: object,
): RecordReference[] => [
  ...(showsPictures ? pictureReferences(record) : []),
  // The record is of this entity.
  ...(refers?.references(record as never) ?? []),
];

/**
 * Requires that all referenced records exist. A draft counts as existing. Links must not lead to archived records.
 *
 * @returns writes for the transaction; they are refused if a referenced record is removed meanwhile
 * @throws AppError `validation_failed` with the path of every missing reference
 */
export async function requireReferences(
  table: Pick<Table, "getMany">,
  references: readonly RecordReference[],
): Promise<Write[]> {
  const lookups = await lookupsOf(table, references);
  if (lookups.length === 0) return [];
  const { epochs, records } = await table.getMany({
    epochs: [at(ReferenceEpochs, {})],
    records: lookups.flatMap(({ reads }) => reads),
  });
  let position = 0;
  const outcomes = lookups.map(({ reads, outcome }) =>
    outcome(records.slice(position, (position += reads.length))),
  );
  const { drafts } = await draftsOf(table, outcomes);
  let draft = 0;
  const problems = lookups.flatMap(({ path, kind }, index): Problem[] => {
    const outcome = outcomes[index];
    const exists = typeof outcome === "object" ? isInUse(drafts[draft++]) : outcome;
    return exists ? [] : [{ path, message: missing(kind) }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [guardNoRemovalSince(epochs[0])];
}

const missing = (kind: ReferenceLookup["kind"]): string =>
  kind === "redirect_host"
    ? "The address must be on this site or on an allowed host."
    : kind === "picture"
      ? pictureMissing
      : `There is no such ${kind.replaceAll("_", " ").replace("faq", "FAQ")}.`;

const isInUse = (record: unknown): boolean =>
  // Only products and sofas are passed in, so the record has a status.
  record !== undefined && (record as Pick<Sellable, "status">).status !== "archived";

/** Reads the records that have a claim to their slug but no published copy: drafts and archived records. */
const draftsOf = async (
  table: Pick<Table, "getMany">,
  outcomes: readonly (boolean | Read)[],
): Promise<{ drafts: readonly unknown[] }> => {
  const reads = outcomes.filter((outcome) => typeof outcome === "object");
  return reads.length > 0 ? table.getMany({ drafts: reads }) : { drafts: [] };
};

interface Lookup {
  readonly reads: readonly Read[];
  /** Whether the record exists, or the next read that is needed to find out. */
  outcome(records: readonly unknown[]): boolean | Read;
}

const exists = (...reads: Read[]): Lookup => ({
  reads,
  outcome: (records) => records.some((record) => record !== undefined),
});

/** The reads that prove that the target of a reference at `path` exists. */
interface ReferenceLookup extends Lookup {
  readonly kind: Exclude<RecordReference["kind"], "link">;
  readonly path: string;
}

async function lookupsOf(
  table: Pick<Table, "getMany">,
  references: readonly RecordReference[],
): Promise<ReferenceLookup[]> {
  const hasLinks = references.some(({ kind }) => kind === "link");
  const { seo } = hasLinks ? await readSettings(table, ["seo"]) : defaultSettings;
  return references.flatMap(({ kind, id, path }): ReferenceLookup[] => {
    if (kind !== "link") return [{ kind, path, ...lookupByName({ kind, id }) }];
    return linkTargets(id, seo.paths)
      .filter((target) => target.kind === "collection" || !isAtRoot(seo.paths[target.kind]))
      .map((target) => ({
        kind: target.kind,
        path,
        ...redirectedOr(id, lookupByName({ kind: target.kind, id: target.slug, by: "slug" })),
      }));
  });
}

/** A link may also lead to the path of a redirect. */
const redirectedOr = (href: string, lookup: Lookup): Lookup => ({
  reads: [at(RedirectRows, { id: redirectId(pathOf(href).replace(/\/$/, "")) }), ...lookup.reads],
  outcome: ([redirect, ...records]) => redirect !== undefined || lookup.outcome(records),
});

interface Name {
  readonly kind: ReferenceLookup["kind"];
  readonly id: string;
  /** Set if `id` is the slug of a product, sofa or story. */
  readonly by?: "slug";
}

function lookupByName({ kind, id, by }: Name): Lookup {
  switch (kind) {
    case "product":
      return by
        ? bySlug(kind, at(PublishedProducts, { slug: id }), id)
        : exists(at(Products, { id }));
    case "sofa":
      return by ? bySlug(kind, at(PublishedSofas, { slug: id }), id) : exists(at(Sofas, { id }));
    case "story":
      return by
        ? exists(at(SlugClaims, { kind, slug: id }), at(PublishedStories, { slug: id }))
        : exists(at(Stories, { id }));
    case "faq_group":
      return exists(at(FaqGroups, { slug: id }));
    case "page":
      return exists(at(SlugClaims, { kind, slug: id }));
    case "material":
      // A material of the demo shop that staff have never saved has no slug claim.
      return exists(at(SlugClaims, { kind, slug: id }), at(PublishedMaterials, { code: id }));
    case "category":
    case "collection":
    case "room":
    case "style":
      return {
        reads: [at(CategoryTree, {})],
        outcome: ([tree]) =>
          // `reads` names the entity, so the record has its type.
          ((tree as Categories | undefined)?.categories ?? []).some(
            (category) => category.kind === kind && category.slug === id,
          ),
      };
    case "tax_class":
      return {
        reads: [at(SettingsRows, { group: "tax" })],
        outcome: ([row]) =>
          // `reads` names the entity, so the row has its type.
          taxClasses(savedOrDefault("tax", row as SettingsRow | undefined)).has(id),
      };
    case "picture":
      return {
        reads: [...mediaItemsIn(id)].map((item) => at(MediaItems, { id: item })),
        // `reads` names the entity, so the record has its type.
        outcome: ([item]) => item !== undefined && shows(item as MediaItem, id),
      };
    case "redirect_host":
      return {
        reads: [at(SettingsRows, { group: "store" })],
        outcome: ([row]) =>
          // `reads` names the entity, so the row has its type.
          redirectHosts(savedOrDefault("store", row as SettingsRow | undefined)).includes(id),
      };
  }
}

type SettingsRow = Parameters<typeof savedOrDefault>[1];

const bySlug = (kind: "product" | "sofa", published: Read, slug: string): Lookup => ({
  reads: [published, at(SlugClaims, { kind, slug })],
  outcome([published, claim]) {
    if (published !== undefined) return true;
    if (claim === undefined) return false;
    // `reads` names the entity, so the claim has its type.
    const { id } = claim as { id: string };
    return kind === "product" ? at(Products, { id }) : at(Sofas, { id });
  },
});

/**
 * Refuses to remove records that other records refer to.
 *
 * @param table its reads are strongly consistent except for lists, whose index may lag
 * @returns writes for the transaction that removes them; they are refused if a reference is added meanwhile
 * @throws AppError `in_use`
 */
export const requireUnused = (
  table: Table,
  ...targets: readonly ReferenceTarget[]
): Promise<Write[]> => requireNo(table, targets, { linksOnly: false });

/**
 * Refuses to archive records that other records link to. References that are not links do not prevent archiving,
 * because the record may be published again.
 *
 * @returns writes for the transaction that archives them; they are refused if a reference is added meanwhile
 * @throws AppError `in_use`
 */
export const requireUnlinked = (
  table: Table,
  ...targets: readonly ReferenceTarget[]
): Promise<Write[]> => requireNo(table, targets, { linksOnly: true });

async function requireNo(
  table: Table,
  targets: readonly ReferenceTarget[],
  of: { readonly linksOnly: boolean },
): Promise<Write[]> {
  const epoch = await table.get(ReferenceEpochs, {});
  const users = (await Promise.all(targets.map((target) => usersOf(table, target, of)))).flat();
  if (users.length > 0) throw inUse(users);
  return [guardNoReferenceSince(epoch)];
}

/** The error for a record that other records refer to. */
export const inUse = (users: readonly User[], message?: string): AppError =>
  new AppError("in_use", {
    ...(message !== undefined && { message }),
    details: { used_by: users.slice(0, mostUsers) },
  });
