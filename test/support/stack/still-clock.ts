import { mock } from "node:test";

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
