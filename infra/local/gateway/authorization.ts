import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from "aws-lambda";
import { lambdaContext, type LocalFunction } from "#infra/local/functions/lambda.ts";
import type { HttpApiEvent } from "./http-api-event.ts";

export type AuthorizerResult = APIGatewaySimpleAuthorizerWithContextResult<Record<string, unknown>>;
export type AuthorizerFunction = LocalFunction<
  APIGatewayRequestAuthorizerEventV2,
  AuthorizerResult
>;

const cacheMs = 300_000;
const cachedIdentities = 1000;

/**
 * A Lambda authorizer with simple responses. Results are cached by the `Authorization` header, so one result applies to
 * every guarded route.
 */
export function authorization(authorizer: AuthorizerFunction) {
  const remembered = new Map<string, { result: AuthorizerResult; until: number }>();

  return async function authorize(
    event: HttpApiEvent,
    identity: string,
  ): Promise<AuthorizerResult> {
    const now = performance.now();
    const earlier = remembered.get(identity);
    if (earlier && earlier.until > now) return earlier.result;

    const result = await authorizer.handler(
      authorizerEvent(event, identity),
      lambdaContext(authorizer, event.requestContext.requestId),
    );
    remembered.delete(identity);
    remembered.set(identity, { result, until: now + cacheMs });
    if (remembered.size > cachedIdentities)
      remembered.delete(remembered.keys().next().value as string);
    return result;
  };
}

function authorizerEvent(
  event: HttpApiEvent,
  identity: string,
): APIGatewayRequestAuthorizerEventV2 {
  const { body: _, isBase64Encoded: __, ...request } = event;
  return {
    ...request,
    type: "REQUEST",
    routeArn: `arn:aws:execute-api:local:000000000000:local/$default/${event.routeKey.replace(" ", "")}`,
    identitySource: [identity],
    cookies: event.cookies ?? [],
  };
}
