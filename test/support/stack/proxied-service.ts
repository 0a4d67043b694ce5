import { type StackEnvironment, type StackOptions, startStack } from "#infra/local/stack.ts";
import { withoutSockets } from "../http/in-process.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "../emulators/dynamodb-proxy.ts";

export interface ProxiedService {
  readonly baseUrl: string;
  readonly proxy: DynamoDbProxy;
  stop(): Promise<void>;
}

/**
 * Functions in this process that use the data of a running stack and reach DynamoDB through a proxy. The consumers run
 * in that stack, so the proxy sees only the calls that the requests themselves make.
 */
export async function startProxiedService(
  environment: StackEnvironment,
  {
    latencyMs = 0,
    ...options
  }: { latencyMs?: number } & Pick<StackOptions, "functions" | "timeoutMultiplier"> = {},
): Promise<ProxiedService> {
  const proxy = await startDynamoDbProxy(environment.DYNAMODB_ENDPOINT, { latencyMs });
  const stack = withoutSockets(
    await startStack({
      dynamoDbEndpoint: environment.DYNAMODB_ENDPOINT,
      tableName: environment.TABLE_NAME,
      consumers: [],
      ...options,
      environment: { ...environment, DYNAMODB_ENDPOINT: proxy.endpoint },
    }),
  );
  return {
    baseUrl: stack.baseUrl,
    proxy,
    async stop() {
      await stack.stop();
      await proxy.stop();
    },
  };
}
