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

/** Secrets of a settings group, encrypted. A partition of their own: what reads settings may not read them. */
export const SettingsSecrets = entity({
  name: "settings_secrets",
  schema: z.object({
    group: z.enum(secretGroups as [SecretGroup, ...SecretGroup[]]),
    /** By name. */
    sealed: z.record(z.string(), SealedText),
    version: z.int().min(1),
  }),
  key: ({ group }: { group: SecretGroup }) => ({ pk: `SECRETS#${group}`, sk: "SECRETS" }),
});
type SecretsRow = z.output<typeof SettingsSecrets.schema>;

export interface SecretStore {
  /**
   * A secret, at most 2 s old; null: not configured. One that cannot be decrypted any more counts as not
   * configured, and the log says so. Throws Unavailable while the keys cannot be read.
   */
  reveal<Group extends SecretGroup>(group: Group, name: SecretName<Group>): Promise<string | null>;
  /** All secrets of a group as they are at this moment, with what `change` goes by. */
  read(group: SecretGroup): Promise<ReadSecrets>;
}

/** What was found of a group, and the keys to change it with. */
export interface ReadSecrets {
  readonly group: SecretGroup;
  /** Every secret that the group may have, by name; null: not configured. */
  readonly revealed: Readonly<Record<string, string | null>>;
  readonly row: SecretsRow | undefined;
  readonly ring: KeyRing;
}

/** What becomes of secrets, by name: a text replaces, null clears; those that are not named stay. */
export type SecretChanges = Readonly<Record<string, string | null>>;

const placeOf = (group: SecretGroup, name: string) => `settings/${group}/${name}`;

/**
 * The write that changes a group's secrets; undefined: nothing changes. What is kept is encrypted anew where its key
 * is no longer the current one. Refused when somebody changed them since they were read.
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
    // One that cannot be read stays as it is until it is replaced or cleared: its key may come back.
    const keeps = isCurrent || (change === undefined && text === null);
    const anew = () => (text === null ? undefined : seal(text, ring, placeOf(group, name)));
    const after = keeps ? before : anew();
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

/** How long a function goes by what it read, in ms: as long as by the settings themselves. */
const freshFor = 2_000;

/**
 * The secrets of the settings.
 *
 * @param options.keys what they are encrypted with
 * @param options.now milliseconds, for the age of what was read
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
      log.error(
        "A secret of the settings cannot be decrypted. Enter it again, or restore its key.",
        {
          group,
          name,
          kid: sealed.kid,
          cause,
        },
      );
      return null;
    }
  }

  function heldRow(group: SecretGroup): Promise<SecretsRow | undefined> {
    const known = held.get(group);
    if (known && now() - known.at < freshFor) return known.row;
    const started = { at: now(), row: table.get(SettingsSecrets, { group }) };
    held.set(group, started);
    // A failed read is not remembered.
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
