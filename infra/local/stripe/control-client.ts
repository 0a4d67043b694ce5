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
    /** HTTP status of the shop's response to each delivery; 0: no response. */
    statuses: z.array(z.int()),
  }),
);
const Deliveries = z.array(z.object({ id: z.string(), status: z.int() }));

/**
 * Controls the Stripe emulator from this or another process. `about` is a text that occurs in the call or event, such
 * as the id of an order or payment. Tests that share an emulator use it to affect only their own records.
 */
export interface StripeControl {
  /** Makes later calls fail. */
  fail(fault: FaultOrder): Promise<void>;
  /** Removes pending faults: those with this `about`, or all. */
  heal(about?: string): Promise<void>;
  /** Lists calls, oldest first. */
  calls(about: string): Promise<z.output<typeof Calls>>;
  /** Holds new events that contain `about`, until `letGo`. */
  hold(about: string): Promise<void>;
  /** Stops holding, and delivers the held events. */
  letGo(about: string): Promise<void>;
  /** Lists events, including held ones, oldest first. */
  events(about: string): Promise<z.output<typeof Events>>;
  /** Delivers events by id, in this order, once for each occurrence. */
  deliver(ids: readonly string[]): Promise<z.output<typeof Deliveries>>;
  /** Resolves when no event is being delivered. Held events are ignored. */
  quiet(): Promise<void>;
  /** Completes a pending action of the bank or the buyer. */
  completePayment(id: string, outcome: "succeeded" | "failed"): Promise<void>;
  completeRefund(id: string, outcome: "succeeded" | "failed"): Promise<void>;
  /** The bank disputes a payment. @returns the dispute's id */
  dispute(paymentId: string): Promise<string>;
  closeDispute(id: string, outcome: "won" | "lost"): Promise<void>;
}

/** @param endpoint of the emulator, without a trailing slash */
export function openStripeControl(endpoint: string): StripeControl {
  async function say(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(endpoint + controlPrefix + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The Stripe emulator returned ${answer.status}: ${text}`);
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
    dispute: async (id) => z.string().parse(await say("POST", `disputes/${id}`)),
    closeDispute: (id, outcome) => order("PATCH", `disputes/${id}`, { outcome }),
    completeRefund: (id, outcome) => order("POST", `refunds/${id}`, { outcome }),
  };
}
