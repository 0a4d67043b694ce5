import { createHmac } from "node:crypto";
import { timeoutOf } from "#shared/runtime/timeouts.ts";
import { backoff, interruptiblePause } from "#infra/local/events/pause.ts";
import { inSeconds, newStripeId } from "./objects.ts";

/** An event, and the HTTP status of the shop's response to each delivery; 0: no response. */
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
  /** The payload. Every delivery sends the same bytes. */
  readonly payload: string;
  /** The text by which `hold` and `list` select events: it must contain their `about`. */
  readonly about: string;
  readonly statuses: number[];
}

export interface WebhookOptions {
  /** URL that receives events. */
  readonly url: string;
  readonly secret: string;
  readonly now: () => number;
}

export type Webhooks = ReturnType<typeof openWebhooks>;

const attempts = 6;
const silenceMs = 10_000;
const keptEvents = 10_000;

/** Sends events to the shop. Each is sent immediately, so their order is not guaranteed. */
export function openWebhooks({ url, secret, now }: WebhookOptions) {
  const events = new Map<string, MadeEvent>();
  const held = new Map<string, string[]>();
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  /** @returns the receiver's status; 0: no response */
  async function deliver(event: MadeEvent): Promise<number> {
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": signatureOf(event.payload, secret, inSeconds(now())),
    };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutOf(silenceMs))]);
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

  /**
   * Delivers an event, and retries while the receiver is unavailable. An event that the receiver refuses is not sent
   * again.
   */
  async function deliverUntilTaken(event: MadeEvent): Promise<void> {
    for (let attempt = 0; attempt < attempts && !stopping.signal.aborted; attempt++) {
      if (attempt > 0) await interruptiblePause(backoff(attempt), stopping.signal);
      const status = await deliver(event);
      if (status !== 0 && status < 500) return;
    }
  }

  function send(event: MadeEvent): void {
    const delivery = deliverUntilTaken(event).finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  }

  return {
    /** @param about further text by which the event can be held */
    announce(type: string, object: { id: string; payment_intent?: string }, about: string): void {
      const id = newStripeId("evt");
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
    /** Delivers held events, oldest first. */
    letGo(about: string): void {
      const ids = held.get(about) ?? [];
      held.delete(about);
      for (const event of ids.map((id) => events.get(id))) if (event) send(event);
    },
    /** Delivers events one after the other in the order of `ids`, once for each occurrence. */
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
    /** Resolves when no event is being delivered. Held events are ignored. */
    async quiet(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/** The `Stripe-Signature` header of a payload. */
export function signatureOf(payload: string, secret: string, seconds: number): string {
  const signature = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
