import type { Context } from "aws-lambda";

export type LambdaHandler<Event = unknown, Result = unknown> = (
  event: Event,
  context: Context,
) => Promise<Result>;

/** A function that runs in this process as on Lambda. */
export interface LocalFunction<Event = unknown, Result = unknown> {
  readonly name: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly handler: LambdaHandler<Event, Result>;
}

function withoutCallbacks(): never {
  throw new Error("Node 24 on Lambda has no callback handlers: return a promise.");
}

/** Lambda's context object. */
export function lambdaContext(of: Omit<LocalFunction, "handler">, requestId: string): Context {
  const deadline = performance.now() + of.timeoutSeconds * 1000;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: of.name,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${of.name}`,
    memoryLimitInMB: String(of.memoryMb),
    logGroupName: `/aws/lambda/${of.name}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    done: withoutCallbacks,
    fail: withoutCallbacks,
    succeed: withoutCallbacks,
  };
}
