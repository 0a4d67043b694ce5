import type { IndexDeps } from "#shared/application/listing/index-work.ts";

/** Dependencies that throw once, right after step number `at` has taken effect. */
export function crashing({ target, rebuilds, queue }: IndexDeps, at: number) {
  let taken = 0;
  const step =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await act(...args);
      if (taken++ === at) throw new Error("crashed");
      return result;
    };
  const over = {
    target: { ...target, put: step(target.put) },
    rebuilds: {
      ...rebuilds,
      replace: step(rebuilds.replace),
      adopt: step(rebuilds.adopt),
    },
    queue: { send: step(queue.send) },
  };
  return { over, step, taken: () => taken };
}
