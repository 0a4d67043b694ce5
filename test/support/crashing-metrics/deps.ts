import {
  type Deps as RealDeps,
  connect as connectReally,
} from "#functions/on-change/metrics/deps.ts";

export interface Deps extends RealDeps {
  /** The number of crashes, and of all invocations. */
  readonly wakings: { crashed: number; all: number };
}

export const wakings = { crashed: 0, all: 0 };

export const connect = (environment: NodeJS.ProcessEnv): Deps => ({
  ...connectReally(environment),
  log: { error: () => undefined },
  wakings,
});
