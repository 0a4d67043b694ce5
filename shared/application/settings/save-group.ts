import type { Shop } from "#shared/application/shop.ts";
import type { Table } from "#shared/storage/table.ts";
import {
  type ReadSecrets,
  type SecretChanges,
  changeSecrets,
} from "#shared/storage/settings/secrets.ts";
import { newReferences } from "#shared/domain/base/references.ts";
import { isDeepStrictEqual } from "node:util";
import {
  type AllSettings,
  type SettingsGroup,
  searchReferences,
} from "#shared/domain/settings/settings.ts";
import { type StoreSettings, redirectHosts } from "#shared/domain/settings/store-settings.ts";
import { type TaxSettings, taxClasses } from "#shared/domain/settings/tax-settings.ts";
import {
  type SentSettings,
  splitSecrets,
  joinSecrets,
  holdsSecrets,
} from "#shared/domain/settings/settings-forms.ts";
import { type SearchSettings, type SeoSettings } from "#shared/domain/settings/further-settings.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { requireReferences, requireUnused } from "#shared/application/require-references.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import type { Write } from "#shared/storage/writes.ts";
import { requireNoOrders, requireUnusedCurrency } from "./currency-uses.ts";
import { movePaths } from "./move-paths.ts";
import { canonicalQuery } from "#shared/search/words.ts";
import { type SecretState, secretState } from "#shared/domain/settings/setting-secrets.ts";
import { SettingsRows, savedOrDefault } from "#shared/storage/settings/settings.ts";

/**
 * Stores a group, its secrets and the activity row in one transaction. Stores nothing if nothing changes.
 *
 * @param sent the parsed request body
 * @throws AppError `validation_failed` when a feature is enabled without the secrets that it needs, or when the group
 *   `search` names an unknown product or sofa or boosts a query twice; `in_use` when existing prices forbid a new currency, existing orders
 *   forbid a new country, or a removed tax class or host is in use
 * @throws Refused when the group was saved since it was read
 */
export async function saveGroup(
  before: OpenedGroup,
  sent: SentSettings,
  audit: AuditContext,
  { table }: Shop<"table">,
): Promise<OpenedGroup> {
  const { group, version } = before;
  const { value, secrets: changes } = splitSecrets(group, sent);
  const { secrets, write } = changedSecrets(before.secrets, changes);
  requireSecrets(group, value, secrets);
  const same = version > 0 && !write && isDeepStrictEqual(value, before.value);
  if (same) return before;

  if (changesCurrency(before.value, value)) await requireUnusedCurrency(table);
  if (changesCountry(before.value, value)) await requireNoOrders(table);
  const references = await referenceWrites(table, group, before.value, value);
  // The casts are safe: these are the settings of the group `seo`.
  const moved =
    group === "seo"
      ? await movePaths(before.value as SeoSettings, value as SeoSettings, audit, table)
      : [];
  const after: OpenedGroup = { group, value, secrets, version: version + 1 };
  const writes: Write[] = [
    ...references,
    ...moved,
    putSettings(group, value, after.version, version > 0 ? is("version", version) : isNew),
    recordActivity(audit, "settings.update", targetOf(group), {
      before: recorded(before, {}),
      after: recorded(before, { value, changes }),
    }),
  ];
  await table.transact(write ? [...writes, write] : writes);
  return after;
}

/**
 * Refuses to remove tax classes that are in use and hosts that redirects lead to, and to boost or hide unknown products
 * and sofas in search, or to boost for a query that search cannot tell apart.
 */
async function referenceWrites(
  table: Table,
  group: SettingsGroup,
  before: object,
  after: object,
): Promise<Write[]> {
  if (group === "tax") {
    // The casts here are safe: the group's name determines the type of its settings.
    const left = taxClasses(after as TaxSettings);
    const gone = [...taxClasses(before as TaxSettings)].filter((code) => !left.has(code));
    if (gone.length === 0) return [];
    return requireUnused(table, ...gone.map((id) => ({ kind: "tax_class" as const, id })));
  }
  if (group === "store") {
    const left = redirectHosts(after as StoreSettings);
    const gone = redirectHosts(before as StoreSettings).filter((host) => !left.includes(host));
    if (gone.length === 0) return [];
    return requireUnused(table, ...gone.map((id) => ({ kind: "redirect_host" as const, id })));
  }
  if (group === "search") {
    const [was, will] = [before as SearchSettings, after as SearchSettings];
    requireDistinctQueries(will);
    const named = newReferences(searchReferences(was), searchReferences(will));
    return requireReferences(table, named);
  }
  return [];
}

const changesCurrency = (before: object, after: object): boolean =>
  "currency" in before && "currency" in after && before.currency !== after.currency;
const changesCountry = (before: object, after: object): boolean =>
  "country" in before && "country" in after && before.country !== after.country;

const targetOf = (group: SettingsGroup) => ({
  kind: "settings",
  id: group,
  label: `Settings: ${group}`,
});

function changedSecrets(
  before: ReadSecrets | null,
  changes: SecretChanges,
): { secrets: ReadSecrets | null; write: Write | undefined } {
  if (!before) return { secrets: null, write: undefined };
  const revealed = { ...before.revealed, ...changes };
  return { secrets: { ...before, revealed }, write: changeSecrets(before, changes) };
}

/** The group as the activity log records it: of a secret, only whether it was set and whether it changed. */
function recorded(
  { group, value: was, secrets }: OpenedGroup,
  { value = was, changes = {} }: { value?: AllSettings[SettingsGroup]; changes?: SecretChanges },
): Record<string, unknown> {
  const marks = Object.entries(secrets?.revealed ?? {}).map(([name, text]) => {
    const change = Object.entries(changes).find(([changed]) => changed === name)?.[1];
    const now = change === undefined ? text : change;
    return [name, now === null ? null : now === text ? "as before" : "another"];
  });
  return joinSecrets(group, value, Object.fromEntries(marks));
}

/** A feature that needs a secret cannot be enabled without it. */
function requireSecrets(
  group: SettingsGroup,
  value: Partial<AllSettings[SettingsGroup]>,
  secrets: ReadSecrets | null,
): void {
  const has = (name: string) =>
    Object.entries(secrets?.revealed ?? {}).some(
      ([known, text]) => known === name && text !== null,
    );
  const problems: { path: string; message: string }[] = [];
  const needed = (path: string, what: string) =>
    problems.push({ path, message: `The ${path.replaceAll("_", " ")} field is required ${what}.` });
  if (group === "payments" && "gateway" in value && value.gateway.enabled) {
    const what = "while online payment is enabled";
    if (value.gateway.publishable_key === null) needed("gateway.publishable_key", what);
    if (!has("gateway.secret_key")) needed("gateway.secret_key", what);
  }
  if (group === "messaging" && "whatsapp" in value && value.whatsapp.enabled) {
    if (!has("whatsapp.access_token")) needed("whatsapp.access_token", "while WhatsApp is enabled");
  }
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Refuses a boost whose query has no searchable words, or the same words as the query of an earlier boost.
 *
 * @throws AppError `validation_failed`
 */
export function requireDistinctQueries({ boosts }: SearchSettings): void {
  const keys = boosts.map(({ query }) => canonicalQuery(query));
  const problems = keys.flatMap((key, position) => {
    const message = problemOf(key, keys.indexOf(key) < position);
    return message === undefined ? [] : [{ path: `boosts.${position}.query`, message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
}

function problemOf(key: string, isRepeated: boolean): string | undefined {
  if (key === "") return "Search ignores all words of this query. Please add another word.";
  return isRepeated ? "Search reads this query like that of another boost." : undefined;
}

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
  { table, secrets }: Shop<"table" | "secrets">,
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
