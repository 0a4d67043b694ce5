import * as z from "zod";
import { controlPrefix } from "./control.ts";
import { CallName, type FaultOrder } from "./faults.ts";

const Calls = z.array(
  z.object({ call: CallName, idempotencyKey: z.string().nullable(), status: z.int() }),
);
const Events = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    payment: z.string(),
    /** What the receiver answered each time; 0: nothing. */
    statuses: z.array(z.int()),
  }),
);
const Deliveries = z.array(z.object({ id: z.string(), status: z.int() }));

/**
 * Tells the stand-in for Stripe how to behave, from this or another process. `about` is a text that occurs in what
 * is meant, such as an order's or a payment's id: who shares a stand-in names what is theirs.
 */
export interface StripeControl {
  /** Lets coming calls go wrong. */
  fail(fault: FaultOrder): Promise<void>;
  /** Takes back faults that did not happen yet: those about this, else all. */
  heal(about?: string): Promise<void>;
  /** Which calls there were, oldest first. */
  calls(about: string): Promise<z.output<typeof Calls>>;
  /** Keeps events back from now on. */
  hold(about: string): Promise<void>;
  /** Ends that, and delivers what was kept back. */
  letGo(about: string): Promise<void>;
  /** Which events there were, held ones included, oldest first. */
  events(about: string): Promise<z.output<typeof Events>>;
  /** Delivers events by their ids, in this order, as often as they are named. */
  deliver(ids: readonly string[]): Promise<z.output<typeof Deliveries>>;
  /** Resolves when no event is on its way but what is held. */
  quiet(): Promise<void>;
  /** Ends what a bank or a buyer is at work on. */
  completePayment(id: string, outcome: "succeeded" | "failed"): Promise<void>;
  completeRefund(id: string, outcome: "succeeded" | "failed"): Promise<void>;
}

/** @param endpoint of the stand-in, without a slash at the end */
export function openStripeControl(endpoint: string): StripeControl {
  async function say(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(endpoint + controlPrefix + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The stand-in for Stripe answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
  const about = (text: string) => new URLSearchParams({ about: text }).toString();
  const order = async (method: string, path: string, body?: unknown) => {
    await say(method, path, body);
  };

  return {
    fail: (fault) => order("POST", "faults", fault),
    heal: (text) => order("DELETE", text === undefined ? "faults" : `faults?${about(text)}`),
    calls: async (text) => Calls.parse(await say("GET", `calls?${about(text)}`)),
    hold: (text) => order("POST", "holds", { about: text }),
    letGo: (text) => order("DELETE", `holds?${about(text)}`),
    events: async (text) => Events.parse(await say("GET", `events?${about(text)}`)),
    deliver: async (ids) => Deliveries.parse(await say("POST", "deliveries", { ids })),
    quiet: () => order("GET", "quiet"),
    completePayment: (id, outcome) => order("POST", `payments/${id}`, { outcome }),
    completeRefund: (id, outcome) => order("POST", `refunds/${id}`, { outcome }),
  };
}
