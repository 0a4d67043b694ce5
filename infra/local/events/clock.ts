import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ScheduledEvent } from "aws-lambda";
import { type LocalFunction, lambdaContext } from "#infra/local/functions/lambda.ts";

export interface Clock {
  /** Stops further runs, and waits for a run in progress. */
  stop(): Promise<void>;
}

/** A minute of a schedule in the cloud is a second here. */
const minuteMs = 1_000;

/** Invokes a function immediately, and then periodically, as EventBridge does. Runs do not overlap. */
export function startClock(
  target: LocalFunction<ScheduledEvent>,
  everyMinutes: number,
  report: (problem: unknown, name: string) => void = (problem, name) =>
    console.error(`${name}:`, problem),
): Clock {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await target.handler(tick(), lambdaContext(target, randomUUID()));
      } catch (problem) {
        report(problem, target.name);
      }
      // `ref: false`: the timer does not keep the process alive.
      const pause = delay(everyMinutes * minuteMs, undefined, { signal, ref: false });
      await pause.catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const tick = (): ScheduledEvent => ({
  id: randomUUID(),
  version: "0",
  account: "000000000000",
  time: new Date().toISOString(),
  region: "us-east-1",
  resources: [],
  source: "aws.events",
  "detail-type": "Scheduled Event",
  detail: {},
});
