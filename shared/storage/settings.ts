import * as z from "zod";
import { type Settings, type SettingsGroup, settingsGroups } from "../domain/settings.ts";
import { type Condition } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Table, at } from "./table.ts";
import { type Write, put } from "./writes.ts";

const groups = Object.keys(settingsGroups) as SettingsGroup[];

export const SettingsRows = entity({
  name: "settings",
  schema: z.object({
    group: z.enum(groups as [SettingsGroup, ...SettingsGroup[]]),
    value: z.record(z.string(), z.unknown()),
    version: z.int().min(1),
  }),
  key: ({ group }: { group: SettingsGroup }) => ({ pk: "SETTINGS", sk: group }),
});

export interface SettingsStore {
  /** All groups that commerce reads, at most 2 s old. Throws when a group was never set. */
  current(): Promise<Settings>;
}

/** How long a function goes by what it read, in ms. Checkout's own sums are compared with `expected_total` anyway. */
const freshFor = 2_000;

/** @param now milliseconds, for the age of what was read */
export function openSettings(table: Table, now: () => number = Date.now): SettingsStore {
  let read: { at: number; settings: Promise<Settings> } | undefined;

  async function load(): Promise<Settings> {
    const { rows } = await table.getMany({
      rows: groups.map((group) => at(SettingsRows, { group })),
    });
    return Object.fromEntries(
      groups.map((group, position) => {
        const row = rows[position];
        if (!row) throw new Error(`The settings group ${group} was never set`);
        return [group, row.value];
      }),
    ) as Settings;
  }

  return {
    current() {
      if (!read || now() - read.at >= freshFor) {
        const settings = load();
        const started = { at: now(), settings };
        read = started;
        // A failed read is not remembered.
        settings.catch(() => {
          if (read === started) read = undefined;
        });
      }
      return read.settings;
    },
  };
}

/** Replaces a group. Throws ZodError when the value does not fit the group. */
export function putSettings<Group extends SettingsGroup>(
  group: Group,
  value: Settings[Group],
  version: number,
  condition?: Condition,
): Write {
  return put(
    SettingsRows,
    { group, value: settingsGroups[group].parse(value), version },
    condition,
  );
}
