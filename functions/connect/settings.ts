import type { Opener, Parts, Shop } from "#shared/application/shop.ts";
import type { SettingsGroup } from "#shared/domain/settings/settings.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

type Remembering = Shop<"table" | "elapsed">;

export const settings =
  <Group extends SettingsGroup>(
    groups: readonly Group[],
  ): Opener<SettingsStore<Group>, Remembering> =>
  (_environment, { table, elapsed }) =>
    openGroups(table, groups, elapsed);
export const headSettings = settings(["store", "seo"]);
export const searchSettings = settings(["search"]);
export const messagingSettings = settings(["messaging"]);

export const secrets: Opener<
  Parts["secrets"],
  Shop<"table" | "settingsKeys" | "log" | "elapsed">
> = (_environment, { table, settingsKeys: keys, log, elapsed: now }) =>
  openSecrets({ table, keys, log, now });
