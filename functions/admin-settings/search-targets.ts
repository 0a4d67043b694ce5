import type { SearchSettings } from "#shared/domain/settings/search-settings.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Refuses newly boosted or hidden ids if no product or sofa has them. An id that was saved before is accepted even if
 * its record was deleted: search ignores it.
 *
 * @throws AppError `validation_failed`
 */
export async function requireTargets(
  table: Table,
  before: SearchSettings,
  after: SearchSettings,
): Promise<void> {
  const known = new Set(placesOf(before).map(({ id }) => id));
  const added = placesOf(after).filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  const ids = [...new Set(added.map(({ id }) => id))];
  const { products, sofas } = await table.getMany({
    products: ids.filter((id) => !isSofa(id)).map((id) => at(Products, { id })),
    sofas: ids.filter(isSofa).map((id) => at(Sofas, { id })),
  });
  const existing = new Set([...products, ...sofas].map((record) => record?.id));
  const unknown = added.filter(({ id }) => !existing.has(id));
  if (unknown.length === 0) return;
  throw invalidFields(
    unknown.map(({ path }) => ({ path, message: "There is no product or sofa with this id." })),
  );
}

const isSofa = (id: string) => id.startsWith("sofa_");

const placesOf = ({ boosts, hidden }: SearchSettings): { path: string; id: string }[] => [
  ...boosts.flatMap(({ targets }, boost) =>
    targets.map((id, target) => ({ path: `boosts.${boost}.targets.${target}`, id })),
  ),
  ...hidden.map((id, position) => ({ path: `hidden.${position}`, id })),
];
