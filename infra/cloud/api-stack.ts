import { CfnOutput, Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import {
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import {
  fallbackFamily,
  type Consumer,
  type DeployedFunction,
  type Family,
} from "#functions/families.ts";
import { corsFor } from "#shared/http/cors.ts";
import { fullPath, isGuarded, routeKey, type Route } from "#shared/http/route.ts";
import { Alarms } from "./alarms.ts";
import type { DataStack } from "./data-stack.ts";
import { ServiceFunction } from "./service-function.ts";
import { wake } from "./wake.ts";

interface ApiStackProps extends StackProps {
  data: DataStack;
  authorizer: DeployedFunction;
  families: readonly Family[];
  consumers: readonly Consumer[];
  /** Origins in full whose pages may call the service, or `*`. */
  origins: readonly string[];
  /** The directory that `bundle` filled. */
  bundles: string;
}

/** Calls per second of all callers together; beyond it API Gateway answers 429 by itself. */
const throttle = { rateLimit: 500, burstLimit: 1000 };

/** Everything that can be thrown away and deployed anew: the HTTP API, its functions, and what wakes the others. */
export class ApiStack extends Stack {
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    const { data, authorizer, families, consumers, origins, bundles, ...stackProps } = props;
    super(scope, id, stackProps);
    this.#alarms = new Alarms(this, "Alarms");

    const made = (deployed: DeployedFunction) => {
      const { lambda } = new ServiceFunction(this, { deployed, data, bundles });
      this.#alarms.watchFunction(deployed.name, lambda);
      return lambda;
    };

    const api = this.#api(origins);
    const guard = this.#guard(made(authorizer));
    for (const family of families) {
      const lambda = made(family);
      // One permission per function: one per route would outgrow what a stack may hold.
      const integration = new HttpLambdaIntegration(family.name, lambda, {
        scopePermissionToRoute: false,
      });
      for (const route of family.routes) this.#route(api, route, integration, guard);
      if (family.name === fallbackFamily) this.#fallback(api, lambda);
    }

    for (const consumer of consumers) {
      const lambda = made(consumer);
      if (consumer.source.kind === "stream") this.#alarms.watchStreamReader(consumer.name, lambda);
      wake(lambda, consumer.source, data);
    }
    for (const [name, { queue, deadLetters }] of Object.entries(data.queues)) {
      this.#alarms.watchWaiting(name, queue);
      this.#alarms.watchDeadLetters(`${name}DeadLetters`, deadLetters);
    }
    this.#alarms.watchDeadLetters("LostChanges", data.lostChanges);

    new CfnOutput(this, "BaseUrl", { value: api.apiEndpoint });
    new CfnOutput(this, "TableName", { value: data.table.tableName });
    new CfnOutput(this, "AlarmTopicArn", { value: this.#alarms.topic.topicArn });
  }

  #api(origins: readonly string[]): HttpApi {
    const cors = corsFor(origins);
    const api = new HttpApi(this, "Api", {
      apiName: this.stackName,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: [...cors.allowOrigins],
        allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...cors.allowHeaders],
        exposeHeaders: [...cors.exposeHeaders],
        maxAge: Duration.seconds(cors.maxAgeSeconds),
      },
    });
    api.addStage("Stage", {
      stageName: "$default",
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, "AccessLog", { retention: RetentionDays.ONE_MONTH }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
    this.#alarms.watchApi(api);
    return api;
  }

  /** Asked once in five minutes about a token: whether its session still counts is the functions' own question. */
  #guard(authorizer: Lambda): HttpLambdaAuthorizer {
    return new HttpLambdaAuthorizer("Authorizer", authorizer, {
      identitySource: ["$request.header.Authorization"],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.minutes(5),
    });
  }

  #route(
    httpApi: HttpApi,
    route: Route,
    integration: HttpLambdaIntegration,
    authorizer: HttpLambdaAuthorizer,
  ): void {
    const made = new HttpRoute(this, routeKey(route), {
      httpApi,
      routeKey: HttpRouteKey.with(fullPath(route), HttpMethod[route.method]),
      integration,
      ...(isGuarded(route) && { authorizer }),
    });
    if (isGuarded(route)) return;
    Validations.of(made).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        route.access.guard === "none"
          ? "Public by its declaration."
          : "Guests may call it; a token, if any, is checked in the function.",
    });
  }

  #fallback(httpApi: HttpApi, lambda: Lambda): void {
    const made = new HttpRoute(this, "Fallback", {
      httpApi,
      routeKey: HttpRouteKey.DEFAULT,
      // An integration of its own: a call of `$default` has neither method nor path to be permitted by.
      integration: new HttpLambdaIntegration("fallback", lambda),
    });
    Validations.of(made).acknowledge({
      id: "AwsSolutions-APIG4",
      reason: "It answers 404 and 405 only.",
    });
  }
}

/** One line per call. No header, query or body: those may name a person. */
const accessLog = {
  request_id: "$context.requestId",
  at: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  route: "$context.routeKey",
  path: "$context.path",
  status: "$context.status",
  latency_ms: "$context.responseLatency",
  function_ms: "$context.integrationLatency",
  bytes: "$context.responseLength",
  guard: "$context.authorizer.guard",
  distrust: "$context.authorizer.reason",
  error: "$context.error.message",
};
