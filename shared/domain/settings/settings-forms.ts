import * as z from "zod";
import { memoized } from "../base/memoize.ts";
import { MessagingSettings } from "./further-settings.ts";
import {
  type SecretGroup,
  SecretState,
  SecretText,
  secretGroups,
  secretNames,
} from "./setting-secrets.ts";
import {
  type AllSettings,
  PaymentSettings,
  type SettingsGroup,
  settingsGroupNames,
} from "./settings.ts";
import { settingsGroups } from "./settings-groups.ts";

const SecretInput = z
  .union([SecretText, SecretState])
  .nullable()
  .optional()
  .meta({
    description:
      "A string replaces the secret, null clears it. It is kept if left out or sent back as " +
      "it was returned",
  });

const paymentsWith = <Member extends z.ZodType>(secret: Member) =>
  PaymentSettings.safeExtend({
    gateway: PaymentSettings.shape.gateway.safeExtend({
      secret_key: secret,
      webhook_secret: secret,
    }),
  });
const messagingWith = <Member extends z.ZodType>(secret: Member) =>
  MessagingSettings.safeExtend({
    whatsapp: MessagingSettings.shape.whatsapp.safeExtend({
      access_token: secret,
      app_secret: secret,
      verify_token: secret,
    }),
  });

const shapes = (secret: typeof SecretState | typeof SecretInput) => ({
  ...settingsGroups,
  payments: paymentsWith(secret),
  messaging: messagingWith(secret),
});
const answers = shapes(SecretState);
const inputs = shapes(SecretInput);

const version = z.int().min(0);
const answerOf = memoized(<Group extends SettingsGroup>(group: Group) =>
  // The groups' schemas form a union, which has no common `safeExtend`. Each of them is an object schema.
  (answers[group] as z.ZodObject).safeExtend({
    group: z.literal(group),
    version: version.meta({ description: "0 while the defaults apply" }),
  }),
);

/** A settings group for staff: its members, and for each secret only whether it is set and its last characters. */
export const SettingsAnswer = z.discriminatedUnion("group", [
  answerOf("store"),
  answerOf("checkout"),
  answerOf("payments"),
  answerOf("shipping"),
  answerOf("tax"),
  answerOf("email"),
  answerOf("messaging"),
  answerOf("seo"),
  answerOf("security"),
  answerOf("search"),
  answerOf("returns"),
]);

export const AllSettingsAnswer = z.object(
  Object.fromEntries(settingsGroupNames.map((group) => [group, answerOf(group)])),
);

/** The parsed body that replaces a settings group. */
export interface SentSettings {
  readonly version?: number | undefined;
  readonly [member: string]: unknown;
}

/** The body that replaces a group: all its members. Read-only members may be sent back. */
export const settingsInput = (group: SettingsGroup) =>
  // As above, each schema of the union is an object schema. Extended with `version`, it parses to `SentSettings`.
  (inputs[group] as z.ZodObject).safeExtend({
    group: z.literal(group).optional(),
    version: version.optional(),
  }) as z.ZodType<SentSettings>;

export const groupNamed = (name: string): SettingsGroup | undefined =>
  settingsGroupNames.find((group) => group === name);
export const holdsSecrets = (group: SettingsGroup): group is SecretGroup & SettingsGroup =>
  secretGroups.some((name) => name === group);

type Members = Record<string, unknown>;

/** Splits a sent group into plain members and secrets. */
export function splitSecrets<Group extends SettingsGroup>(
  group: Group,
  { group: _group, version: _version, ...sent }: SentSettings,
): { value: AllSettings[Group]; secrets: Record<string, string | null> } {
  const value: Members = structuredClone(sent);
  const secrets: Record<string, string | null> = {};
  for (const name of holdsSecrets(group) ? secretNames[group] : []) {
    const [holder, member] = placeOf(value, name);
    const secret = holder[member];
    if (secret === null || typeof secret === "string") secrets[name] = secret;
    delete holder[member];
  }
  // `sent` was parsed by the group's own schema, so it has the group's type.
  return { value: value as AllSettings[Group], secrets };
}

/** A group's members, in which the public state of each secret replaces its value. */
export function joinSecrets(
  group: SettingsGroup,
  value: object,
  secrets: Readonly<Record<string, unknown>>,
): Members {
  // Every object can be read as a map of its members.
  const all = structuredClone(value) as Members;
  for (const name of holdsSecrets(group) ? secretNames[group] : []) {
    const [holder, member] = placeOf(all, name);
    holder[member] = secrets[name];
  }
  return all;
}

/** The object and member that a secret's dotted name refers to. */
function placeOf(value: Members, name: string): [holder: Members, member: string] {
  const [holder = "", member = ""] = name.split(".");
  // Every secret is a member of an object that is itself a member of the group.
  return [value[holder] as Members, member];
}
