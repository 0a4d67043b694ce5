import { randomBytes, randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { WhatsAppUserId } from "#shared/domain/inbox/whatsapp-number.ts";
import { hubSignature } from "#shared/messaging/whatsapp-signature.ts";
import { listen } from "#infra/local/gateway/http-server.ts";
import { interruptiblePause } from "#infra/local/events/pause.ts";
import { whatsAppFiles } from "./whatsapp-files.ts";
import { localWhatsApp } from "./whatsapp-keys.ts";

const Digits = z.string().regex(/^\d{7,15}$/);
/** How a person is named: by number, or by the user id of those who hide it. */
const Name = z.union([Digits, WhatsAppUserId]);

/** A file that the emulator downloads from its public URL, as Meta does. */
const File = z.object({ link: z.url(), caption: z.string().max(1024).optional() });

/** The part of a send request that the emulator reads. */
const Send = z.object({
  messaging_product: z.literal("whatsapp"),
  to: Digits.optional(),
  recipient: WhatsAppUserId.optional(),
  type: z.enum(["text", "template", "image", "document"]),
  text: z.object({ body: z.string().min(1).max(4096) }).optional(),
  template: z
    .object({ name: z.string(), language: z.object({ code: z.string() }) })
    .loose()
    .optional(),
  image: File.optional(),
  document: File.extend({ filename: z.string().optional() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
});
type Send = z.output<typeof Send>;

/** A message from a customer: a text, or a message in WhatsApp's format. Without `from`, they hide their number. */
const Inbound = z.strictObject({
  from: Digits.optional(),
  user_id: WhatsAppUserId.optional(),
  name: z.string().default("Asha Rao"),
  text: z.string().optional(),
  message: z.record(z.string(), z.unknown()).optional(),
});

/** The behaviour of a number in a test. */
const Behaviour = z.strictObject({
  /** The next responses; `lost` accepts the message, but closes the connection without a response. */
  answers: z
    .array(z.union([z.literal("lost"), z.strictObject({ status: z.int(), code: z.int() })]))
    .default([]),
  /** The statuses that webhooks report after an accepted message. */
  statuses: z.array(z.string()).default(["sent", "delivered"]),
  /** How often each status is sent. If more than once, the order is random. */
  copies: z.int().min(0).max(10).default(1),
  delay_ms: z.int().min(0).max(5_000).default(0),
});
type Behaviour = z.output<typeof Behaviour>;

export interface WhatsAppEmulator {
  /** Replaces the URL of Meta's Graph API. */
  readonly endpoint: string;
  /** Resolves when every webhook so far has been delivered. */
  quiet(): Promise<void>;
  isBusy(): boolean;
  stop(): Promise<void>;
}

const usual: Behaviour = Behaviour.parse({});
const attempts = 5;
const pauseMs = 100;

/**
 * Emulates WhatsApp: accepts messages from the shop and sends signed status webhooks. It checks the token of the demo
 * shop's account; other accounts may use any token. Besides Meta's `POST /{version}/{phone_number_id}/messages` it has
 * `GET /sent`, `POST /inbound`, `PUT /behaviour/{number}` and the files of `whatsAppFiles`.
 *
 * @param options.webhookUrl the shop's webhook
 * @param options.appSecret the current secret that the shop checks signatures with; without one, no webhooks are sent
 */
export async function startWhatsApp(options: {
  webhookUrl: string;
  appSecret(): Promise<string | null>;
}): Promise<WhatsAppEmulator> {
  const { webhookUrl, appSecret } = options;
  const server = await listen(0);
  const files = whatsAppFiles(server.baseUrl);
  const sent: (Send & { id: string })[] = [];
  const behaviours = new Map<string, Behaviour>();
  const pending = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  function later(work: () => Promise<void>): void {
    const running = work()
      .catch((problem: unknown) => {
        if (!signal.aborted) console.error("whatsapp:", problem);
      })
      .finally(() => pending.delete(running));
    pending.add(running);
  }

  async function deliver(value: object): Promise<void> {
    const secret = await appSecret();
    if (secret === null) return;
    const body = JSON.stringify(envelope(value));
    for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt++) {
      const answer = await fetch(webhookUrl, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-hub-signature-256": hubSignature(Buffer.from(body), secret),
        },
        body,
      });
      await answer.body?.cancel();
      if (answer.ok) return;
      await interruptiblePause(pauseMs * attempt, signal);
    }
  }

  function take(message: Send): string {
    const { to, recipient, biz_opaque_callback_data } = message;
    const { statuses, copies, delay_ms } = behaviours.get(nameOf(message)) ?? usual;
    const id = newId();
    sent.push({ ...message, id });
    const news = Array.from({ length: copies }, () => statuses)
      .flat()
      .map((status) => ({
        id,
        status,
        timestamp: now(),
        ...(to !== undefined && { recipient_id: to }),
        ...(recipient !== undefined && { recipient_user_id: recipient }),
        ...(biz_opaque_callback_data !== undefined && { biz_opaque_callback_data }),
      }));
    later(async () => {
      await interruptiblePause(delay_ms, signal);
      if (copies > 1) await Promise.all(shuffled(news).map((one) => deliver({ statuses: [one] })));
      else for (const one of news) await deliver({ statuses: [one] });
    });
    return id;
  }

  async function answerSend(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , number] = (request.url ?? "").split("/");
    const token = request.headers.authorization;
    const isOwn = number === localWhatsApp.phone_number_id;
    if (isOwn ? token !== `Bearer ${localWhatsApp.access_token}` : token === undefined) {
      return refuse(response, 401, 190, "Invalid OAuth access token.");
    }
    const message = Send.safeParse(await json(request)).data;
    if (!message || nameOf(message) === "") return refuse(response, 400, 100, "Invalid parameter");
    const link = (message.image ?? message.document)?.link;
    if (link !== undefined && !(await isThere(link))) {
      return refuse(response, 400, 131_053, "Media upload error");
    }
    const answer = behaviours.get(nameOf(message))?.answers.shift();
    if (answer === "lost") {
      take(message);
      response.destroy();
      return;
    }
    if (answer)
      return refuse(response, answer.status, answer.code, "Refused as the test requested.");
    reply(response, 200, {
      messaging_product: "whatsapp",
      contacts: [contactOf(message)],
      messages: [{ id: take(message) }],
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await files.answer(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? "/", server.baseUrl);
    const [first, second] = pathname.slice(1).split("/");
    switch (`${request.method} ${first}`) {
      case "GET sent": {
        const to = searchParams.get("to");
        return reply(
          response,
          200,
          sent.filter((message) => to === null || nameOf(message) === to),
        );
      }
      case "POST inbound": {
        const inbound = Inbound.parse(await json(request));
        const { from, user_id, name, text = "Hello", message = {} } = inbound;
        const plain = {
          from,
          from_user_id: user_id,
          id: newId(),
          timestamp: now(),
          type: "text",
          text: { body: text },
        };
        const contacts = [{ wa_id: from, user_id, profile: { name } }];
        await deliver({ contacts, messages: [{ ...plain, ...message }] });
        return reply(response, 200, { delivered: true });
      }
      case "PUT behaviour":
        behaviours.set(
          Name.parse(decodeURIComponent(second ?? "")),
          Behaviour.parse(await json(request)),
        );
        return reply(response, 200, {});
      default:
        if (request.method === "POST" && pathname.endsWith("/messages")) {
          return answerSend(request, response);
        }
        return refuse(response, 404, 100, "Unknown path components");
    }
  }

  server.serve((request, response) => {
    answer(request, response).catch((problem: unknown) =>
      refuse(response, 400, 100, problem instanceof Error ? problem.message : "Bad Request"),
    );
  });
  const quiet = async () => {
    while (pending.size > 0) await Promise.all(pending);
  };
  return {
    endpoint: server.baseUrl,
    isBusy: () => pending.size > 0,
    quiet,
    async stop() {
      stopping.abort();
      await server.stop();
      await quiet();
    },
  };
}

const nameOf = ({ to, recipient }: Send): string => to ?? recipient ?? "";

const contactOf = ({ to, recipient }: Send) =>
  to === undefined ? { input: recipient, user_id: recipient } : { input: to, wa_id: to };

async function isThere(link: string): Promise<boolean> {
  const answer = await fetch(link);
  await answer.body?.cancel();
  return answer.ok;
}

const envelope = (value: object) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { phone_number_id: "106540352242922" },
            ...value,
          },
        },
      ],
    },
  ],
});

const now = () => String(Math.floor(Date.now() / 1000));
const newId = () => `wamid.${randomBytes(24).toString("base64url")}`;

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, code: number, message: string): void =>
  reply(response, status, { error: { message, type: "OAuthException", code } });

function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(randomInt(left.length), 1));
}
