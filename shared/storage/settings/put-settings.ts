import { settingsGroups } from "../../domain/settings/settings-groups.ts";
import type { AllSettings, SettingsGroup } from "../../domain/settings/settings.ts";
import type { Condition } from "../conditions.ts";
import { type Write, replace } from "../writes.ts";
import { SettingsRows } from "./settings.ts";

/** The write that replaces a settings group. Throws ZodError when the value does not match the group's schema. */
export function putSettings<Group extends SettingsGroup>(
  group: Group,
  value: AllSettings[Group],
  version: number,
  condition?: Condition,
): Write {
  return replace(
    SettingsRows,
    { group, value: settingsGroups[group].parse(value), version },
    condition,
  );
}
