import { randomInt, randomUUID } from "node:crypto";
import type { Stack, StackEnvironment } from "#infra/local/stack.ts";
import { awaits } from "../stack/effects.ts";
import { type GuardedOptions, startGuardedStack } from "../stack/shop.ts";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import {
  type Conversation,
  newConversation,
  rewritten,
  withMessage,
} from "#shared/domain/inbox/conversation.ts";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import { hubSignature } from "#shared/messaging/whatsapp-signature.ts";
import { openInbox, addMessage, saveConversation } from "#shared/storage/inbox/inbox.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import { changeSecrets, openSecrets } from "#shared/storage/settings/secrets.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Reply, clientOf } from "../http/client.ts";
import { type World, worldOf, type StaffClient, staffClient } from "../people/people.ts";
import { plantSettings } from "../shop/plant.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { receivedMessage } from "#shared/domain/inbox/message.ts";

export const webhookPath = "/webhooks/messaging/whatsapp";
const { access_token, app_secret, verify_token, phone_number_id } = localWhatsApp;
export const whatsAppSecrets = {
  "whatsapp.access_token": access_token,
  "whatsapp.app_secret": app_secret,
  "whatsapp.verify_token": verify_token,
} as const;

/** Saves WhatsApp's secrets in the settings. */
export async function plantWhatsAppSecrets(
  table: Table,
  environment: StackEnvironment,
  secrets: Partial<typeof whatsAppSecrets> = whatsAppSecrets,
): Promise<void> {
  const keys = openKeys({ keys: environment.SETTINGS_KEYS, secret: undefined });
  const stored = await openSecrets({ table, keys, log: plainLog }).read("messaging");
  const write = changeSecrets(stored, secrets);
  if (write) await table.write(write);
}

/** A message that the WhatsApp emulator received. */
export interface SentMessage {
  readonly id: string;
  readonly type: string;
  readonly text?: { body: string };
  readonly template?: unknown;
}

/** A separate shop with WhatsApp configured and no conversations. */
export interface WhatsAppDesk {
  readonly stack: Stack;
  readonly table: Table;
  /** Sends a webhook, signed as WhatsApp does. */
  deliver(payload: unknown): Promise<Reply>;
  /** A conversation of a new number whose customer wrote `ago` hours ago. */
  written(overrides?: {
    name?: string;
    text?: string;
    ago?: number;
  }): Promise<Conversation & { phone: string }>;
  /** The messages that the WhatsApp emulator received for a number. */
  sentTo(phone: string): Promise<SentMessage[]>;
  /** Sets the emulator's behaviour for a number. */
  behave(phone: string, behaviour: object): Promise<void>;
  staff(role: RoleCode): Promise<StaffClient>;
}

export async function openWhatsAppDesk(
  options: Pick<GuardedOptions, "effects" | "consumers" | "environment"> = {},
): Promise<WhatsAppDesk> {
  const stack = await startGuardedStack({
    ...options,
    async seed(environment) {
      const { table } = worldOf(environment);
      await plantSettings(table);
      await ensureRoles(table, new Date());
      await plantWhatsAppSecrets(table, environment);
      const whatsapp = { enabled: true, phone_number_id, business_account_id: null };
      await table.write(
        putSettings("messaging", { whatsapp: { ...whatsapp, api_version: "v23.0" } }, 1),
      );
    },
  });
  const world: World = worldOf(stack.environment);
  const endpoint = stack.environment.WHATSAPP_API_URL;
  const deliver: WhatsAppDesk["deliver"] = (payload) => {
    const body = JSON.stringify(payload);
    return sendWebhook(stack.baseUrl, body, signed(body));
  };
  return {
    stack,
    table: world.table,
    deliver,
    async written({ name = "Asha Rao", text = "Is it in stock?", ago = 0 } = {}) {
      const number = aNumber();
      const timestamp = seconds(new Date(Date.now() - ago * 3_600_000));
      const message = aMessage(number, { timestamp, text: { body: text } });
      await deliver(aPayload({ messages: [message], name }));
      const conversation = await openInbox(world.table).readNumber(`+${number}`);
      if (!conversation?.phone) throw new Error("The webhook stored nothing");
      return { ...conversation, phone: conversation.phone };
    },
    async sentTo(phone) {
      awaits("whatsapp");
      const answer = await fetch(`${endpoint}/sent?to=${phone.slice(1)}`);
      return (await answer.json()) as SentMessage[];
    },
    async behave(phone, behaviour) {
      const body = JSON.stringify(behaviour);
      await fetch(`${endpoint}/behaviour/${phone.slice(1)}`, { method: "PUT", body });
    },
    staff: (role) => staffClient(stack.baseUrl, world, role),
  };
}

export const signed = (body: string | Uint8Array): Record<string, string> => ({
  "x-hub-signature-256": hubSignature(Buffer.from(body), whatsAppSecrets["whatsapp.app_secret"]),
});

export const sendWebhook = (
  baseUrl: string,
  body: string,
  headers: Record<string, string>,
): Promise<Reply> =>
  clientOf(baseUrl).send("POST", webhookPath, {
    body,
    headers: { "content-type": "application/json", ...headers },
  });

export const aNumber = (): string => `91${randomInt(6e9, 1e10)}`;
/** A user id of a person in India. */
export const aUserId = (): string => `IN.${randomInt(1e11, 2e11)}${randomInt(1e6, 1e7)}`;
export const aWhatsAppId = (): string => `wamid.${randomUUID()}`;
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));

/** A webhook body with messages and statuses. People with a user id and no number hide their number. */
export function aPayload(value: {
  messages?: readonly { from?: string; from_user_id?: string }[];
  statuses?: readonly object[];
  name?: string;
}) {
  const { messages = [], statuses = [], name = "Asha Rao" } = value;
  const senders = new Map(
    messages.map(({ from, from_user_id }) => [
      JSON.stringify([from, from_user_id]),
      { wa_id: from, user_id: from_user_id, profile: { name } },
    ]),
  );
  return {
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: {
                display_phone_number: "918049001122",
                phone_number_id: "106540352242922",
              },
              contacts: [...senders.values()],
              ...(messages.length > 0 && { messages }),
              ...(statuses.length > 0 && { statuses }),
            },
          },
        ],
      },
    ],
  };
}

/** A text message from a person who hides their number. */
export const aHiddenMessage = (from_user_id: string, overrides: object = {}) => {
  const { from: _from, ...message } = aMessage("", overrides);
  return { ...message, from_user_id };
};

/** A text message from a number; overrides can make it another type. */
export const aMessage = (from: string, overrides: object = {}) => ({
  from,
  id: aWhatsAppId(),
  timestamp: seconds(new Date()),
  type: "text",
  text: { body: "Is the sofa in stock?" },
  ...overrides,
});

export const aStatus = (id: string, status: string, overrides: object = {}) => ({
  id,
  status,
  timestamp: seconds(new Date()),
  recipient_id: "919812345678",
  ...overrides,
});

/** A stored conversation: a customer's message from a number, linked to an order. */
export async function aConversation(table: Table, phone: string, order_id: string) {
  const now = new Date();
  const started = newConversation({ phone, user_id: null }, { id: newId("conv", now), now });
  const received = { kind: "text", text: "Namaste", media: null, reply_to: null } as const;
  const message = receivedMessage(
    { ...received, at: now.toISOString(), whatsapp_id: `wamid.${started.id}` },
    { id: newId("msg", now), conversation_id: started.id },
  );
  const lead_id = newId("lead", now);
  const linked = { ...withMessage(started, message), name: "Ravi", order_id, lead_id };
  const conversation = rewritten(linked, now);
  await table.transact([...saveConversation(undefined, conversation), ...addMessage(message)]);
  return { conversation, message };
}
