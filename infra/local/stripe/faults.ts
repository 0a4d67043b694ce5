import * as z from "zod";

/** The operations of Stripe's API that can fail. */
export const CallName = z.enum([
  "payment_intents.create",
  "payment_intents.retrieve",
  "payment_intents.confirm",
  "payment_intents.cancel",
  "refunds.create",
  "refunds.retrieve",
  "refunds.list",
  "disputes.list",
]);
export type CallName = z.output<typeof CallName>;

export const FaultOrder = z.strictObject({
  /** The operation that fails. Default: every operation. */
  call: CallName.optional(),
  /** A text that occurs in the call, such as the id of an order, payment or transaction. */
  about: z.string().min(1).optional(),
  times: z.int().min(1).default(1),
  /**
   * How the call fails. With `slow` and `answer_lost` the call still takes effect: `slow` responds after a delay, and
   * `answer_lost` breaks the connection. With the other faults it takes no effect, and `hang` never responds.
   * `refused` is a refusal for good of a refund, as of a payment whose method takes none.
   */
  fault: z.enum(["server_error", "too_many", "refused", "reset", "hang", "answer_lost", "slow"]),
  /** Delay in ms. */
  ms: z.int().min(0).default(0),
});
export type FaultOrder = z.input<typeof FaultOrder>;
type Fault = z.output<typeof FaultOrder>;
export type FaultName = Fault["fault"];

export interface CallReport {
  readonly call: CallName;
  readonly idempotencyKey: string | null;
  /** HTTP status of the response; 0 if there was no response. */
  readonly status: number;
}

interface Call {
  readonly call: CallName;
  /** The call's URL and parameters. A fault applies if this text contains the fault's `about`. */
  readonly text: string;
  readonly idempotencyKey: string | null;
  status: number;
}

const keptCalls = 10_000;

export type Faults = ReturnType<typeof openFaults>;

/** The pending faults and the log of calls. */
export function openFaults() {
  let ordered: Fault[] = [];
  const calls: Call[] = [];

  return {
    order(fault: Fault): void {
      ordered.push({ ...fault });
    },
    /** Removes pending faults. */
    withdraw(about: string | undefined): void {
      ordered = ordered.filter((fault) => about !== undefined && fault.about !== about);
    },
    /** Logs a call. @returns the log entry, whose status is set later, and the fault to apply */
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
