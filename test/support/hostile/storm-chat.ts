import { expect } from "vitest";
import type { Conversation } from "#shared/domain/inbox/conversation.ts";
import { aKey } from "../back-office/orders.ts";
import type { Data } from "../shop/shopping.ts";
import type { StormGround } from "./storm-load.ts";
import { type SentMessage, aNumber } from "../back-office/whatsapp.ts";

const talks = 4;

/** WhatsApp conversations during a storm. */
export async function openChat({
  environment: { WHATSAPP_API_URL: endpoint },
  staff,
}: Pick<StormGround, "environment" | "staff">) {
  const say = (method: string, path: string, body: object) =>
    fetch(endpoint + path, { method, body: JSON.stringify(body) });
  const numbers = Array.from({ length: talks }, aNumber);
  for (const from of numbers) await say("POST", "/inbound", { from });
  const { body } = await staff.get<Data<Conversation[]>>("/admin/inbox/conversations?per_page=100");
  const own = body.data.filter(({ phone }) => numbers.includes(phone.slice(1)));
  const taken: { text: string }[] = [];

  return {
    /** Staff reply to every conversation. */
    async write(): Promise<void> {
      for (const { id } of own) {
        const text = `It is on its way, ${aKey()["idempotency-key"]}`;
        const path = `/admin/inbox/conversations/${id}/messages`;
        const { status } = await staff.post(path, { text }, aKey());
        if (status === 201) taken.push({ text });
      }
    },
    /** Makes WhatsApp unavailable for the next `times` attempts of every conversation. */
    async away(times: number): Promise<void> {
      const answers = Array.from({ length: times }, () => ({ status: 503, code: 2 }));
      for (const number of numbers) await say("PUT", `/behaviour/${number}`, { answers });
    },
    /** Asserts that every accepted message reached WhatsApp once. */
    async expectSentOnce(): Promise<void> {
      expect(taken.length).toBeGreaterThan(0);
      const answer = await fetch(`${endpoint}/sent`);
      const sent = (await answer.json()) as SentMessage[];
      const texts = sent.flatMap(({ text }) => text?.body ?? []);
      const times = taken.map(({ text }) => texts.filter((each) => each === text).length);
      expect(times).toEqual(taken.map(() => 1));
    },
  };
}
