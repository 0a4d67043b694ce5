import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import type { APIGatewayRequestAuthorizerEventV2, DynamoDBStreamEvent, SQSEvent } from "aws-lambda";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import type { HttpApiEvent } from "./gateway/http-api-event.ts";
import { lambdaContext } from "./functions/lambda.ts";
import { loadConsumer } from "./functions/load-consumer.ts";
import { loadAuthorizer, loadFamily } from "./functions/load-function.ts";
import { queuedEvent, routedEvent } from "./events/sample-event.ts";
import { runningEnvironment } from "./running-stack.ts";
import { type StackEnvironment, startStack } from "./stack.ts";

const [name, eventFile] = process.argv.slice(2);
try {
  if (!name || !eventFile)
    throw new Error(`Usage: npm run invoke -- <function> <event.json>\n${known()}`);
  const event: unknown = JSON.parse(readFileSync(eventFile, "utf8"));
  console.log(JSON.stringify(await invokeSomewhere(name, event), null, 2));
  process.exit(0);
} catch (problem) {
  console.error(problem instanceof Error ? problem.message : problem);
  process.exit(1);
}

/** Uses the running stack, or starts one for this call. */
async function invokeSomewhere(name: string, event: unknown): Promise<unknown> {
  const running = await runningEnvironment();
  if (running) return invoke(name, event, running);
  const stack = await startStack({ shop: "planted" });
  try {
    await stack.settled();
    return await invoke(name, event, stack.environment);
  } finally {
    await stack.stop();
  }
}

async function invoke(
  name: string,
  event: unknown,
  environment: StackEnvironment,
): Promise<unknown> {
  const family = families.find((family) => family.name === name);
  if (family) {
    const target = await loadFamily(family, environment);
    const routed = routedEvent(event as HttpApiEvent, family);
    return target.handler(routed, lambdaContext(target, randomUUID()));
  }
  if (name === authorizer.name) {
    const target = await loadAuthorizer(authorizer, environment);
    return target.handler(
      event as APIGatewayRequestAuthorizerEventV2,
      lambdaContext(target, randomUUID()),
    );
  }
  const consumer = consumers.find((consumer) => consumer.name === name);
  if (!consumer) throw new Error(`Unknown function ${name}.\n${known()}`);
  const target = await loadConsumer<DynamoDBStreamEvent & SQSEvent>(consumer, environment);
  return target.handler(
    queuedEvent(event, consumer) as DynamoDBStreamEvent & SQSEvent,
    lambdaContext(target, randomUUID()),
  );
}

function known(): string {
  return `Functions: ${[...families, authorizer, ...consumers].map(({ name }) => name).join(", ")}`;
}
