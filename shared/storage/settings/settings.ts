import * as z from "zod";
import { defaultSettings } from "../../domain/settings/default-settings.ts";
import {
  type AllSettings,
  type CommerceGroup,
  type SettingsGroup,
  commerceGroups,
  listingItsOwn,
  settingsGroupNames,
} from "../../domain/settings/settings.ts";
import type { StoreSettings } from "../../domain/settings/store-settings.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

export const SettingsRows = entity({
  name: "settings",
  isPublic: true,
  schema: z.object({
    group: z.enum(settingsGroupNames),
    value: z.record(z.string(), z.unknown()),
    version: z.int().min(1),
  }),
  key: ({ group }: { group: SettingsGroup }) => ({ pk: "SETTINGS", sk: group }),
});

export interface SettingsStore<Group extends SettingsGroup = CommerceGroup> {
  /** The settings groups that were opened, at most 2 s old. Groups that were never saved have their defaults. */
  current(): Promise<Pick<AllSettings, Group>>;
  /** The settings groups that were opened, read now. Amounts to charge are never computed from memoized settings. */
  latest(): Promise<Pick<AllSettings, Group>>;
}

/** How long a read is reused, in ms. Checkout also compares its total with `expected_total`. */
const freshFor = 2_000;

/** Opens the settings groups that carts, orders and payments read. */
export const openSettings = (table: Table): SettingsStore => openGroups(table, commerceGroups);

/** Opens some groups of the settings. @param now in milliseconds, for the age of a read */
export function openGroups<Group extends SettingsGroup>(
  table: Table,
  groups: readonly Group[],
  now: () => number = Date.now,
): SettingsStore<Group> {
  let read: { at: number; settings: Promise<Pick<AllSettings, Group>> } | undefined;

  function latest(): Promise<Pick<AllSettings, Group>> {
    const settings = readSettings(table, groups);
    const started = { at: now(), settings };
    read = started;
    // A failed read is not memoized.
    settings.catch(() => {
      if (read === started) read = undefined;
    });
    return settings;
  }

  return {
    latest,
    current: () => (read && now() - read.at < freshFor ? read.settings : latest()),
  };
}

/** Reads of the commerce groups, for a batch. `commerceSettings` converts the result. */
export const commerceReads = () => commerceGroups.map((group) => at(SettingsRows, { group }));
export const commerceSettings = (rows: readonly (SettingsRow | undefined)[]) =>
  settingsOf(commerceGroups, rows);

/** Reads the current settings of these groups. */
export async function readSettings<Group extends SettingsGroup>(
  table: Pick<Table, "getMany">,
  requested: readonly Group[],
): Promise<Pick<AllSettings, Group>> {
  const { rows } = await table.getMany({
    rows: requested.map((group) => at(SettingsRows, { group })),
  });
  return settingsOf(requested, rows);
}

/** The groups of these rows, in the same order. A missing row means the defaults. */
export const settingsOf = <Group extends SettingsGroup>(
  requested: readonly Group[],
  rows: readonly (SettingsRow | undefined)[],
): Pick<AllSettings, Group> =>
  Object.fromEntries(
    requested.map((group, position) => [group, savedOrDefault(group, rows[position])]),
    // The type of `fromEntries` does not tell which group has which settings.
  ) as Pick<AllSettings, Group>;

type SettingsRow = z.output<typeof SettingsRows.schema>;

/** A group as it was saved. Members that were added by a later release have their defaults. */
export function savedOrDefault<Group extends SettingsGroup>(
  group: Group,
  row: Pick<SettingsRow, "value"> | undefined,
): AllSettings[Group] {
  // `completed` keeps the group's shape, which its schema checked when the group was saved.
  if (group !== "store") return completed(defaultSettings[group], row?.value) as AllSettings[Group];
  const preset = { ...defaultSettings.store, currencies: [], locales: [] };
  // `Group` is `store` here, and both functions keep the shape of the store's settings.
  return listingItsOwn(completed(preset, row?.value) as StoreSettings) as AllSettings[Group];
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The saved value, itself if it lacks no member of the preset. */
function completed(preset: unknown, saved: unknown): unknown {
  if (saved === undefined) return preset;
  if (!isMap(preset) || !isMap(saved)) return saved;
  let filled: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(preset)) {
    const known = Object.hasOwn(saved, name) ? saved[name] : undefined;
    const after = completed(value, known);
    if (after !== known) (filled ??= { ...saved })[name] = after;
  }
  return filled ?? saved;
}
