import type { LocalFunction } from "./lambda.ts";

/** Blocks invocations of functions while it is shut. */
export interface Gate {
  shut(): void;
  /** Lets waiting invocations continue. */
  open(): void;
  behind<Event, Result>(target: LocalFunction<Event, Result>): LocalFunction<Event, Result>;
}

/** Returns a gate that is open. */
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
