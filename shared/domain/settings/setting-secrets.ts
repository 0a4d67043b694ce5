import { namesOf } from "../base/members.ts";
import * as z from "zod";
import { Text } from "../base/text.ts";

/** The secrets in the settings: by group, each named by the path of its member. */
export const secretNames = {
  payments: ["gateway.secret_key", "gateway.webhook_secret"],
  messaging: ["whatsapp.access_token", "whatsapp.app_secret", "whatsapp.verify_token"],
} as const;
export type SecretGroup = keyof typeof secretNames;
export type SecretName<Group extends SecretGroup = SecretGroup> =
  (typeof secretNames)[Group][number];
export const secretGroups = namesOf(secretNames);

export const SecretText = Text(2000).check(z.minLength(8));

/** The public state of a secret: whether it is set, and its last characters. */
export const SecretState = z
  .strictObject({
    configured: z.boolean(),
    last4: z.string().max(4).nullable().meta({
      description: "Last four characters; null if not configured or too short to reveal them",
    }),
  })
  .meta({ id: "SecretState", example: { configured: true, last4: "9f3K" } });
export type SecretState = z.output<typeof SecretState>;

/** From this length, four characters are a small part of a secret. */
const longEnough = 12;

export function secretState(secret: string | null): SecretState {
  if (secret === null) return { configured: false, last4: null };
  return { configured: true, last4: secret.length < longEnough ? null : secret.slice(-4) };
}
