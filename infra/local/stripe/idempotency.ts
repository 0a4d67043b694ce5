import { StripeRefusal, isRemembered } from "./refusal.ts";

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Stores the first response of each idempotency key and returns it when the call is repeated.
 *
 * @throws Refusal if a repeat differs from the first call
 */
export function openIdempotency() {
  const known = new Map<string, { call: string; answer: KeptAnswer }>();

  return (
    key: string,
    call: string,
    work: () => KeptAnswer,
  ): KeptAnswer & { replayed: boolean } => {
    const first = known.get(key);
    if (first && first.call !== call) {
      throw new StripeRefusal(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (first) return { ...first.answer, replayed: true };
    try {
      const answer = work();
      known.set(key, { call, answer });
      return { ...answer, replayed: false };
    } catch (error) {
      if (error instanceof StripeRefusal && isRemembered(error)) {
        known.set(key, { call, answer: refusalAnswer(error) });
      }
      throw error;
    }
  };
}

export const refusalAnswer = ({ status, error }: StripeRefusal): KeptAnswer => ({
  status,
  body: JSON.stringify({ error }),
});
