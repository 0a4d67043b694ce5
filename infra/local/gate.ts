import type { LocalFunction } from "./lambda.ts";

/** Holds the calls of functions back while it is shut. */
export interface Gate {
  shut(): void;
  /** Those that wait go through. */
  open(): void;
  behind<Event, Result>(target: LocalFunction<Event, Result>): LocalFunction<Event, Result>;
}

/** One that is open. */
export function aGate(): Gate {
  let opened: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  return {
    shut() {
      open();
      const { promise, resolve } = Promise.withResolvers<void>();
      opened = promise;
      open = resolve;
    },
    open: () => open(),
    behind: (target) => ({
      ...target,
      async handler(event, context) {
        await opened;
        return target.handler(event, context);
      },
    }),
  };
}
