import type { Problem } from "../domain/base/names.ts";
import { PublishedMaterials, Products, SlugClaims, Sofas } from "../storage/catalog/catalog.ts";
import { Stories } from "../storage/content/content.ts";
import { FaqGroups } from "../storage/content/faqs.ts";
import {
  ReferenceEpochs,
  type Target,
  usersOf,
  whileNothingGoes,
  whileNothingIsNamed,
} from "../storage/catalog/references.ts";
import { type Read, at } from "../storage/reads.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";
import { AppError, invalidFields } from "../domain/request/app-error.ts";

/** A reference to another record, and its path in the referring record. */
export interface Reference extends Target {
  readonly kind: Exclude<Target["kind"], "category">;
  readonly path: string;
}

/**
 * Requires that all referenced records exist; drafts count.
 *
 * @returns writes for the transaction, conditional on no referenced record being removed meanwhile
 * @throws AppError `validation_failed` with the path of every missing reference
 */
export async function requireReferences(
  table: Pick<Table, "getMany">,
  references: readonly Reference[],
): Promise<Write[]> {
  if (references.length === 0) return [];
  const reads = references.map(readsOf);
  const { epochs, records } = await table.getMany({
    epochs: [at(ReferenceEpochs, {})],
    records: reads.flat(),
  });
  let position = 0;
  const problems = references.flatMap(({ path, kind }, index): Problem[] => {
    const found = reads[index]?.map(() => records[position++] !== undefined) ?? [];
    const what = kind.replaceAll("_", " ").replace("faq", "FAQ");
    return found.includes(true) ? [] : [{ path, message: `There is no such ${what}.` }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [whileNothingGoes(epochs[0])];
}

/** Both places in which a record may be found. */
function readsOf({ kind, id }: Reference): Read[] {
  switch (kind) {
    case "product":
      return [at(Products, { id })];
    case "sofa":
      return [at(Sofas, { id })];
    case "story":
      return [at(Stories, { id })];
    case "faq_group":
      return [at(FaqGroups, { slug: id })];
    case "page":
      return [at(SlugClaims, { kind: "page", slug: id })];
    case "material":
      // A record that was imported as published and never edited has no claim.
      return [at(SlugClaims, { kind: "material", slug: id }), at(PublishedMaterials, { code: id })];
  }
}

/** An error lists at most this many users. */
const mostUsers = 20;

/**
 * Refuses to remove records that others refer to.
 *
 * @param table its reads are strongly consistent except for lists, whose index may lag
 * @returns writes for the transaction that removes them, conditional on no reference being added meanwhile
 * @throws AppError `in_use`
 */
export async function requireUnused(table: Table, ...targets: readonly Target[]): Promise<Write[]> {
  const epoch = await table.get(ReferenceEpochs, {});
  const users = (await Promise.all(targets.map((target) => usersOf(table, target)))).flat();
  if (users.length > 0) {
    throw new AppError("in_use", { details: { used_by: users.slice(0, mostUsers) } });
  }
  return [whileNothingIsNamed(epoch)];
}
