import { mock } from "node:test";

export interface StillClock {
  /** Runs work during which no time passes for `Date`; timers go on. */
  still<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Moves on by milliseconds. */
  pass(ms: number): void;
  /** Gives `Date` back. */
  restore(): void;
}

const tickMs = 5;

/**
 * Takes over this process's `Date`, so that what a call costs does not depend on how fast the machine is: nothing that
 * functions keep for two seconds gets old between two calls. Functions have to be connected after this.
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
