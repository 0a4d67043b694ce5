import { type SecretState, secretState } from "#shared/domain/settings/setting-secrets.ts";
import type { AllSettings, SettingsGroup } from "#shared/domain/settings/settings.ts";
import { holdsSecrets, joinSecrets } from "#shared/domain/settings/settings-forms.ts";
import type { ReadSecrets } from "#shared/storage/settings/secrets.ts";
import { SettingsRows, savedOrDefault } from "#shared/storage/settings/settings.ts";
import type { Deps } from "./deps.ts";

/** A group as read, with its secrets. */
export interface OpenedGroup {
  readonly group: SettingsGroup;
  readonly value: AllSettings[SettingsGroup];
  /** 0 if the group was never saved. */
  readonly version: number;
  /** Null if the group has no secrets. */
  readonly secrets: ReadSecrets | null;
}

export async function openGroup(
  group: SettingsGroup,
  { table, secrets }: Pick<Deps, "table" | "secrets">,
): Promise<OpenedGroup> {
  const [row, read] = await Promise.all([
    table.get(SettingsRows, { group }),
    holdsSecrets(group) ? secrets.read(group) : null,
  ]);
  return {
    group,
    value: savedOrDefault(group, row),
    version: row?.version ?? 0,
    secrets: read,
  };
}

/** The response for a group. */
export function answerOf({ group, value, version, secrets }: OpenedGroup) {
  return { ...joinSecrets(group, value, secretStates(secrets)), group, version };
}

export function secretStates(secrets: ReadSecrets | null): Record<string, SecretState> {
  return Object.fromEntries(
    Object.entries(secrets?.revealed ?? {}).map(([name, text]) => [name, secretState(text)]),
  );
}
