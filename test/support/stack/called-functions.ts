import type { Functions } from "#infra/local/functions/load-function.ts";
import type { LocalFunction } from "#infra/local/functions/lambda.ts";

/**
 * Functions whose calls are seen.
 *
 * @param see receives the function's name and its answer, which has not come yet
 */
export function withSeenCalls(
  functions: Functions,
  see: (name: string, answer: Promise<unknown>) => void,
): Functions {
  const seen = <Event, Result>(of: LocalFunction<Event, Result>): LocalFunction<Event, Result> => ({
    ...of,
    handler(event, context) {
      const answer = of.handler(event, context);
      see(of.name, answer);
      return answer;
    },
  });
  return {
    family: async (...of) => seen(await functions.family(...of)),
    consumer: async (...of) => seen(await functions.consumer(...of)),
    authorizer: async (...of) => seen(await functions.authorizer(...of)),
  };
}

const called = new Set<string>();

/** Functions whose calls are noted for the current test file. `npm test -- --changed` chooses files by them. */
export const withNotedCalls = (functions: Functions): Functions =>
  withSeenCalls(functions, (name) => called.add(name));

/** The functions that have been called since the current test file began. */
export const calledFunctions = (): string[] => [...called].toSorted();

export function forgetCalledFunctions(): void {
  called.clear();
}
