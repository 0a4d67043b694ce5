import * as z from "zod";

/** What a storefront and the service ask Stripe for. */
export const CallName = z.enum([
  "payment_intents.create",
  "payment_intents.retrieve",
  "payment_intents.confirm",
  "payment_intents.cancel",
  "refunds.create",
  "refunds.retrieve",
  "refunds.list",
]);
export type CallName = z.output<typeof CallName>;

export const FaultOrder = z.strictObject({
  /** Nothing: any. */
  call: CallName.optional(),
  /** A text that occurs in the call: an order's, a payment's, a transaction's id. */
  about: z.string().min(1).optional(),
  times: z.int().min(1).default(1),
  /**
   * The first four have no effect: `hang` keeps the caller waiting for nothing. `answer_lost` has its effect, and
   * the connection breaks before the answer; `slow` has it after a time.
   */
  fault: z.enum(["server_error", "too_many", "reset", "hang", "answer_lost", "slow"]),
  /** How slow. */
  ms: z.int().min(0).default(0),
});
export type FaultOrder = z.input<typeof FaultOrder>;
type Fault = z.output<typeof FaultOrder>;
export type FaultName = Fault["fault"];

export interface CallReport {
  readonly call: CallName;
  readonly idempotencyKey: string | null;
  /** 0: it was not answered. */
  readonly status: number;
}

interface Call {
  readonly call: CallName;
  /** Its address and parameters. */
  readonly text: string;
  readonly idempotencyKey: string | null;
  status: number;
}

const keptCalls = 10_000;

export type Faults = ReturnType<typeof openFaults>;

/** What is to go wrong with calls, and which calls there were. */
export function openFaults() {
  let ordered: Fault[] = [];
  const calls: Call[] = [];

  return {
    order(fault: Fault): void {
      ordered.push({ ...fault });
    },
    /** Takes back what did not happen yet. */
    withdraw(about: string | undefined): void {
      ordered = ordered.filter((fault) => about !== undefined && fault.about !== about);
    },
    /** Notes a call. @returns the note, whose status is still to be set, and what goes wrong with it */
    meet(call: CallName, text: string, idempotencyKey: string | null) {
      const note: Call = { call, text, idempotencyKey, status: 0 };
      calls.push(note);
      if (calls.length > keptCalls) calls.shift();
      const fault = ordered.find(
        (each) =>
          (each.call ?? call) === call && (each.about === undefined || text.includes(each.about)),
      );
      if (fault && --fault.times === 0) ordered = ordered.filter((each) => each !== fault);
      return { note, fault };
    },
    calls: (about: string): CallReport[] =>
      calls
        .filter(({ text }) => text.includes(about))
        .map(({ call, idempotencyKey, status }) => ({ call, idempotencyKey, status })),
  };
}
