import { type FifoQueue, type Queue, openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { type VariableName, readVariable } from "#shared/runtime/environment.ts";

type QueueVariable = Extract<VariableName, `${string}_QUEUE_URL`>;

export const connectQueue = (environment: NodeJS.ProcessEnv, variable: QueueVariable): Queue =>
  openQueue(queueOf(environment, variable));

export const connectFifoQueue = (
  environment: NodeJS.ProcessEnv,
  variable: QueueVariable,
): FifoQueue => openFifoQueue(queueOf(environment, variable));

const queueOf = (environment: NodeJS.ProcessEnv, variable: QueueVariable) => ({
  url: readVariable(environment, variable),
  endpoint: readVariable(environment, "SQS_ENDPOINT"),
});
