import * as z from "zod";
import type { KeyRing, KeySource } from "../../runtime/key-ring.ts";
import { SealedText, Unreadable, seal, unseal } from "../../runtime/sealed-text.ts";
import {
  type SecretGroup,
  type SecretName,
  secretGroups,
  secretNames,
} from "../../domain/settings/setting-secrets.ts";
import type { Log } from "../../runtime/log.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

/**
 * Encrypted secrets of a settings group. They have a partition of their own, because functions that read settings may
 * not read secrets.
 */
export const SettingsSecrets = entity({
  name: "settings_secrets",
  notExported: "credential",
  schema: z.object({
    group: z.enum(secretGroups),
    /** The encrypted secrets, keyed by name. */
    sealed: z.record(z.string(), SealedText),
    version: z.int().min(1),
  }),
  key: ({ group }: { group: SecretGroup }) => ({ pk: `SECRETS#${group}`, sk: "SECRETS" }),
});
type SecretsRow = z.output<typeof SettingsSecrets.schema>;

export interface SecretStore {
  /**
   * A secret, at most 2 s old; null if not configured. A secret that cannot be decrypted is logged and counts as not
   * configured. Throws Unavailable while the keys cannot be read.
   */
  reveal<Group extends SecretGroup>(group: Group, name: SecretName<Group>): Promise<string | null>;
  /** All current secrets of a group, and the data that `changeSecrets` needs to change them. */
  read(group: SecretGroup): Promise<ReadSecrets>;
}

/** The secrets of a group as read, and the keys for changing them. */
export interface ReadSecrets {
  readonly group: SecretGroup;
  /** Every secret that the group may have, keyed by name; null if it is not configured. */
  readonly revealed: Readonly<Record<string, string | null>>;
  readonly row: SecretsRow | undefined;
  readonly ring: KeyRing;
}

/** Changes of secrets, keyed by name: a string replaces the secret and null clears it; other secrets do not change. */
export type SecretChanges = Readonly<Record<string, string | null>>;

const placeOf = (group: SecretGroup, name: string) => `settings/${group}/${name}`;

/**
 * The write that changes a group's secrets; undefined if nothing changes. Stored secrets are encrypted again if their
 * key is no longer the current one. The write is refused if the secrets have changed since they were read.
 */
export function changeSecrets(
  { group, revealed, row, ring }: ReadSecrets,
  changes: SecretChanges,
): Write | undefined {
  const sealed: SecretsRow["sealed"] = {};
  let changed = false;
  for (const [name, revealedText] of Object.entries(revealed)) {
    const before = row?.sealed[name];
    const change = changes[name];
    const text = change === undefined ? revealedText : change;
    const isCurrent = text === revealedText && before?.kid === ring.current.kid;
    // A secret that cannot be decrypted stays until it is replaced or cleared: its key may be restored.
    const keeps = isCurrent || (change === undefined && text === null);
    const reseal = () => (text === null ? undefined : seal(text, ring, placeOf(group, name)));
    const after = keeps ? before : reseal();
    if (after) sealed[name] = after;
    changed ||= after !== before;
  }
  if (!changed) return undefined;
  return put(
    SettingsSecrets,
    { group, sealed, version: (row?.version ?? 0) + 1 },
    row ? is("version", row.version) : isNew,
  );
}

/** How long a read is reused, in ms; the same as for settings. */
const freshFor = 2_000;

/**
 * Opens the secrets of the settings.
 *
 * @param options.keys the encryption keys
 * @param options.now milliseconds, for the age of a read
 */
export function openSecrets(options: {
  table: Table;
  keys: KeySource;
  log: Pick<Log, "error">;
  now?: () => number;
}): SecretStore {
  const { table, keys, log, now = Date.now } = options;
  const held = new Map<SecretGroup, { at: number; row: Promise<SecretsRow | undefined> }>();

  async function ringFor(sealed: readonly SealedText[]): Promise<KeyRing> {
    let ring = await keys();
    for (const { kid } of sealed) ring = await keys(kid);
    return ring;
  }

  function opened(
    group: SecretGroup,
    name: string,
    row: SecretsRow | undefined,
    ring: KeyRing,
  ): string | null {
    const sealed = row?.sealed[name];
    if (!sealed) return null;
    try {
      return unseal(sealed, ring, placeOf(group, name));
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause;
      log.error("Secret ignored: it cannot be decrypted. Enter it again, or restore its key.", {
        group,
        name,
        kid: sealed.kid,
        cause,
      });
      return null;
    }
  }

  function heldRow(group: SecretGroup): Promise<SecretsRow | undefined> {
    const known = held.get(group);
    if (known && now() - known.at < freshFor) return known.row;
    const started = { at: now(), row: table.get(SettingsSecrets, { group }) };
    held.set(group, started);
    // A failed read is not memoized.
    started.row.catch(() => {
      if (held.get(group) === started) held.delete(group);
    });
    return started.row;
  }

  return {
    async reveal(group, name) {
      const row = await heldRow(group);
      const sealed = row?.sealed[name];
      return sealed ? opened(group, name, row, await keys(sealed.kid)) : null;
    },
    async read(group) {
      const row = await table.get(SettingsSecrets, { group });
      const ring = await ringFor(Object.values(row?.sealed ?? {}));
      const names: readonly string[] = secretNames[group];
      const revealed = Object.fromEntries(
        names.map((name) => [name, opened(group, name, row, ring)]),
      );
      return { group, revealed, row, ring };
    },
  };
}
