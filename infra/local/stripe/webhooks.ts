import { createHmac } from "node:crypto";
import { backoff, pause } from "../pause.ts";
import { inSeconds, newId } from "./objects.ts";

/** What came of delivering an event: the receiver's status each time, 0 where there was no answer. */
export interface EventReport {
  readonly id: string;
  readonly type: string;
  readonly payment: string;
  readonly statuses: readonly number[];
}

interface MadeEvent {
  readonly id: string;
  readonly type: string;
  readonly payment: string;
  /** What it says, as it said it first: every delivery carries the same bytes. */
  readonly payload: string;
  /** What a hold is recognised by. */
  readonly about: string;
  readonly statuses: number[];
}

export interface WebhookOptions {
  /** Where events go. */
  readonly url: string;
  readonly secret: string;
  readonly now: () => number;
}

export type Webhooks = ReturnType<typeof openWebhooks>;

const attempts = 6;
const silenceMs = 10_000;
const keptEvents = 10_000;

/** Tells the shop what happens: each event by itself and at once, so that their order is not certain. */
export function openWebhooks({ url, secret, now }: WebhookOptions) {
  const events = new Map<string, MadeEvent>();
  const held = new Map<string, string[]>();
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  /** @returns the receiver's status; 0: none */
  async function deliver(event: MadeEvent): Promise<number> {
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": signatureOf(event.payload, secret, inSeconds(now())),
    };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(silenceMs)]);
    const status = await fetch(url, { method: "POST", headers, body: event.payload, signal }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => 0,
    );
    event.statuses.push(status);
    return status;
  }

  /** Again while the receiver is down; what it refuses, it would refuse again. */
  async function deliverUntilTaken(event: MadeEvent): Promise<void> {
    for (let attempt = 0; attempt < attempts && !stopping.signal.aborted; attempt++) {
      if (attempt > 0) await pause(backoff(attempt), stopping.signal);
      const status = await deliver(event);
      if (status !== 0 && status < 500) return;
    }
  }

  function send(event: MadeEvent): void {
    const delivery = deliverUntilTaken(event).finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  }

  return {
    /** @param about what a hold may name the event by, besides what it says itself */
    announce(type: string, object: { id: string; payment_intent?: string }, about: string): void {
      const id = newId("evt");
      const payload = JSON.stringify({
        id,
        object: "event",
        api_version: "2026-10-28.endive",
        created: inSeconds(now()),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: null,
        type,
      });
      const event: MadeEvent = {
        id,
        type,
        payment: object.payment_intent ?? object.id,
        payload,
        about: payload + about,
        statuses: [],
      };
      events.set(id, event);
      if (events.size > keptEvents) events.delete(events.keys().next().value ?? "");
      const hold = [...held.keys()].find((text) => event.about.includes(text));
      if (hold === undefined) send(event);
      else held.get(hold)?.push(id);
    },
    hold(about: string): void {
      held.set(about, held.get(about) ?? []);
    },
    /** Delivers what was held, in the order in which it was made. */
    letGo(about: string): void {
      const ids = held.get(about) ?? [];
      held.delete(about);
      for (const event of ids.map((id) => events.get(id))) if (event) send(event);
    },
    /** Delivers events in the given order, one after the other, as often as they are named. */
    async redeliver(ids: readonly string[]): Promise<{ id: string; status: number }[]> {
      const results = [];
      for (const id of ids) {
        const event = events.get(id);
        if (event) results.push({ id, status: await deliver(event) });
      }
      return results;
    },
    list: (about: string): EventReport[] =>
      Array.from(events.values())
        .filter((event) => event.about.includes(about))
        .map(({ id, type, payment, statuses }) => ({ id, type, payment, statuses })),
    isBusy: (): boolean => underWay.size > 0,
    /** Resolves when nothing is on its way but what is held. */
    async quiet(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/** The header that vouches for a payload, as Stripe makes it. */
export function signatureOf(payload: string, secret: string, seconds: number): string {
  const signature = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
