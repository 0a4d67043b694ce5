import type { LocalFunction } from "#infra/local/functions/lambda.ts";

/** Blocks invocations of functions while it is shut. */
export interface Gate {
  /** Resolves when no invocation is in progress. */
  shut(): Promise<void>;
  /** Lets waiting invocations continue. */
  open(): void;
  behind<Event, Result>(target: LocalFunction<Event, Result>): LocalFunction<Event, Result>;
}

/** Returns a gate that is open. */
export function aGate(): Gate {
  let opened: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  const inProgress = new Set<Promise<unknown>>();
  return {
    async shut() {
      open();
      const { promise, resolve } = Promise.withResolvers<void>();
      opened = promise;
      open = resolve;
      await Promise.allSettled(inProgress);
    },
    open: () => open(),
    behind: (target) => ({
      ...target,
      async handler(event, context) {
        await opened;
        const result = target.handler(event, context);
        inProgress.add(result);
        try {
          return await result;
        } finally {
          inProgress.delete(result);
        }
      },
    }),
  };
}
