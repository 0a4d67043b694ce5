import { mock } from "node:test";
import { expect } from "vitest";

export interface StillClock {
  /** Runs work while `Date` does not advance; timers continue. */
  still<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Advances `Date` by this many milliseconds. */
  pass(ms: number): void;
  /** Restores `Date`. */
  restore(): void;
}

const tickMs = 5;

/**
 * Replaces this process's `Date`, so that costs do not depend on the machine's speed: two-second caches do not expire
 * between calls. Functions must connect to their dependencies after this call.
 */
export function stillClock(): StillClock {
  let offset = 0;
  let isStill = false;
  const now = () => Math.floor(performance.timeOrigin + performance.now()) + offset;
  mock.timers.enable({ apis: ["Date"], now: now() });
  const ticking = setInterval(() => {
    if (!isStill) mock.timers.setTime(now());
  }, tickMs);
  ticking.unref();

  return {
    async still(work) {
      isStill = true;
      try {
        return await work();
      } finally {
        isStill = false;
      }
    },
    pass(ms) {
      offset += ms;
      mock.timers.setTime(Date.now() + ms);
    },
    restore() {
      clearInterval(ticking);
      mock.timers.reset();
    },
  };
}

/** The number of the current rate-limit window. */
const windowNow = (seconds: number) => Math.floor(Date.now() / 1000 / seconds);

/**
 * Runs work within one rate-limit window, and again if the window ended meanwhile.
 *
 * @param seconds length of the window
 * @param work uses new accounts and IP addresses in each run, and makes no assertion that fails if the window ends
 */
export async function inOneWindow<Result>(
  seconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const window = windowNow(seconds);
    const result = await work();
    if (windowNow(seconds) === window) return result;
  }
}

/**
 * Expects that a call stored a time that lies this long after the call, and allows for the call's duration.
 *
 * @param before when the call was sent
 */
export function expectAfter(at: string | undefined, before: Date, milliseconds: number): void {
  const setAt = Date.parse(at ?? "") - milliseconds;
  // Some times are stored in whole seconds.
  expect(setAt).toBeGreaterThan(before.getTime() - 1_000);
  expect(setAt).toBeLessThanOrEqual(Date.now());
}
