import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { type LambdaHandler, type LocalFunction, lambdaContext } from "./lambda.ts";

/** What a thread needs to run a bundle. */
export interface BundledWork {
  /** The bundle, as Lambda would load it. */
  readonly file: string;
  readonly of: Omit<LocalFunction, "handler">;
}

export interface BundledCall {
  readonly id: string;
  /** The event as JSON. */
  readonly event: string;
  readonly requestId: string;
}

export interface BundledAnswer {
  readonly id: string;
  /** The function's result as JSON; undefined if the function returned nothing. */
  readonly result?: string | undefined;
  /** The error that the function threw. */
  readonly problem?: string;
}

const { file, of } = workerData as BundledWork;
const { handler } = createRequire(file)(file) as { handler: LambdaHandler };

parentPort?.on("message", (call: BundledCall) => {
  void answer(call).then((result) => parentPort?.postMessage(result));
});

async function answer({ id, event, requestId }: BundledCall): Promise<BundledAnswer> {
  try {
    const result = await handler(JSON.parse(event), lambdaContext(of, requestId));
    return { id, result: JSON.stringify(result) };
  } catch (problem) {
    return { id, problem: problem instanceof Error ? String(problem.stack) : String(problem) };
  }
}
