import { AsyncLocalStorage } from "node:async_hooks";
import { Unavailable } from "./unavailable.ts";

interface Deadline {
  /** In ms since 1970. */
  readonly at: number;
  readonly signal: AbortSignal;
}

const deadlines = new AsyncLocalStorage<Deadline>();

/** Time in ms before Lambda's timeout, reserved for logging the failure and sending the response. */
const reserveMs = 500;

/**
 * Runs the work of one request until shortly before Lambda's timeout. AWS calls, retries and back-off within it end at
 * the same deadline.
 *
 * @param remainingMs the time that Lambda has left
 * @throws Unavailable at the deadline, even if the work is still waiting
 */
export async function withinDeadline<Result>(
  remainingMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const ms = Math.max(0, remainingMs - reserveMs);
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Unavailable("The request ran out of time");
    controller.abort(error);
    reject(error);
  }, ms);
  try {
    const deadline = { at: Date.now() + ms, signal: controller.signal };
    return await Promise.race([deadlines.run(deadline, work), passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** Aborts at the deadline of the current request; undefined outside a request. */
export const deadlineSignal = (): AbortSignal | undefined => deadlines.getStore()?.signal;

/** The deadline of the current request in ms since 1970; Infinity outside a request. */
export const deadlineAt = (): number => deadlines.getStore()?.at ?? Infinity;

/** Aborts after a number of ms, or at the deadline. */
export function timeoutSignal(ms: number): AbortSignal {
  const [timeout, deadline] = [AbortSignal.timeout(ms), deadlineSignal()];
  return deadline ? AbortSignal.any([timeout, deadline]) : timeout;
}
