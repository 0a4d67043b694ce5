import type { Functions } from "#infra/local/functions/load-function.ts";
import type { LocalFunction } from "#infra/local/functions/lambda.ts";

/**
 * Functions that note the name of each when it has been called.
 *
 * @param note receives the name and the answer; a call that throws is not noted
 */
export function withNotedCalls(
  functions: Functions,
  note: (name: string, answer: unknown) => void,
): Functions {
  const noting = <Event, Result>(
    of: LocalFunction<Event, Result>,
  ): LocalFunction<Event, Result> => ({
    ...of,
    async handler(event, context) {
      const answer = await of.handler(event, context);
      note(of.name, answer);
      return answer;
    },
  });
  return {
    family: async (...of) => noting(await functions.family(...of)),
    consumer: async (...of) => noting(await functions.consumer(...of)),
    authorizer: async (...of) => noting(await functions.authorizer(...of)),
  };
}
