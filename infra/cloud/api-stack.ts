import {
  CfnOutput,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  type CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import {
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { Consumer } from "#functions/consumers.ts";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { fallbackFamily, type Family } from "#functions/families.ts";
import { corsFor } from "#shared/http/cors.ts";
import { fullPath, isGuarded, routeKey, type Route } from "#shared/http/route.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { Alarms } from "./alarms.ts";
import { Overview } from "./dashboard.ts";
import type { DataStack } from "./data-stack.ts";
import { Front } from "./front.ts";
import { DomainOfApi } from "./own-domain.ts";
import { ServiceFunction } from "./service-function.ts";
import type { StageOptions } from "./stage.ts";
import { lowerThrottles, throttleOf } from "./throttles.ts";
import { addEventSource } from "./event-source.ts";

interface ApiStackProps extends StackProps {
  data: DataStack;
  authorizer: DeployedFunction;
  families: readonly Family[];
  consumers: readonly Consumer[];
  options: StageOptions;
  /** ARN of CloudFront's firewall; undefined without `cdn`. */
  webAclArn: string | undefined;
  /** Every entity of the table. */
  entities: readonly Entity[];
  /** The directory that `bundle` filled. */
  bundles: string;
}

/**
 * The stack that can be deleted and deployed again: the HTTP API, its functions and the event sources of the consumers.
 */
export class ApiStack extends Stack {
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    const { data, authorizer, families, consumers, options, webAclArn, ...rest } = props;
    const { entities, bundles, ...stackProps } = rest;
    super(scope, id, stackProps);
    this.#alarms = new Alarms(this, "Alarms");
    const { own, cpu, logDays: logRetention, reserve, originSecretVersion } = options;
    const originSecret = webAclArn === undefined ? undefined : this.#originSecret();

    const functions = new Map<string, Lambda>();
    const made = (deployed: DeployedFunction) => {
      const shared = { data, entities, bundles, cpu, logRetention, reserve, originSecret };
      const { lambda } = new ServiceFunction(this, { deployed, ...shared });
      this.#alarms.watchFunction(deployed.name, lambda);
      functions.set(deployed.name, lambda);
      return lambda;
    };

    const api = this.#api(options.origins);
    const stage = this.#stage(api, options.callsPerSecond, logRetention);
    const guard = this.#guard(made(authorizer));
    for (const family of families) {
      const lambda = made(family);
      // One permission per function: one per route would exceed the size limit of a stack.
      const integration = new HttpLambdaIntegration(family.name, lambda, {
        scopePermissionToRoute: false,
      });
      for (const route of family.routes) this.#route(api, route, integration, guard);
      if (family.name === fallbackFamily) this.#fallback(api, lambda);
    }

    this.#throttle(
      stage,
      lowerThrottles(
        families.flatMap(({ routes }) => routes),
        options.callsPerSecond,
      ),
    );

    for (const consumer of consumers) {
      const lambda = made(consumer);
      if (consumer.source.kind === "stream") this.#alarms.watchStreamReader(consumer.name, lambda);
      if (consumer.source.kind === "schedule") {
        this.#alarms.watchClock(consumer.name, lambda, consumer.source.everyMinutes);
      }
      addEventSource(lambda, consumer.source, data);
    }
    for (const [name, { queue, deadLetters }] of Object.entries(data.queues)) {
      this.#alarms.watchWaiting(name, queue);
      // The age of a FIFO queue includes messages in flight.
      if (!queue.fifo) this.#alarms.watchPostponed(name, queue);
      this.#alarms.watchDeadLetters(`${name}DeadLetters`, deadLetters);
    }
    this.#alarms.watchDeadLetters("LostChanges", data.lostChanges);

    new Overview(this, { api, functions, data });

    if (webAclArn !== undefined && originSecret) {
      new Front(this, "Front", {
        api,
        own,
        webAclArn,
        originSecret,
        originSecretVersion,
        logs: data.logs,
      });
    } else if (own) new DomainOfApi(this, own, api, stage);

    new CfnOutput(this, "BaseUrl", { value: api.apiEndpoint });
    new CfnOutput(this, "TableName", { value: data.table.tableName });
    for (const { name, source } of consumers) {
      const lambda = functions.get(name);
      if (source.kind !== "stream" || !lambda) continue;
      new CfnOutput(this, "StreamReader", {
        value: lambda.functionName,
        description: "Its environment variables are needed by `npm run replay`.",
      });
    }
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
    this.#alarms.watchApi(api);
    return api;
  }

  #stage(api: HttpApi, callsPerSecond: number, retention: RetentionDays): HttpStage {
    return api.addStage("Stage", {
      stageName: "$default",
      autoDeploy: true,
      throttle: throttleOf(callsPerSecond),
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, "AccessLog", { retention, removalPolicy: RemovalPolicy.DESTROY }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
  }

  /** A stage can only configure routes that exist before it. */
  #throttle(stage: HttpStage, lower: ReturnType<typeof lowerThrottles>): void {
    const resource = stage.node.defaultChild as CfnStage;
    resource.routeSettings = Object.fromEntries(
      [...lower].map(([key, { rateLimit, burstLimit }]) => [
        key,
        { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit },
      ]),
    );
    for (const key of lower.keys()) stage.node.addDependency(this.node.findChild(key));
  }

  /** Can be generated again at any time, so it is deleted with the stack. */
  #originSecret(): Secret {
    const secret = new Secret(this, "OriginSecret", {
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "CloudFront receives a new value only by a deployment; the previous value stays valid until then.",
    });
    return secret;
  }

  /** Caches its answer per token for five minutes. The functions check whether the token's session is still valid. */
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
          ? "Declared as public."
          : "Guests may call it; the function checks the token if there is one.",
    });
  }

  #fallback(httpApi: HttpApi, lambda: Lambda): void {
    const made = new HttpRoute(this, "Fallback", {
      httpApi,
      routeKey: HttpRouteKey.DEFAULT,
      // A separate integration: the permission of a shared one names a method and path, which `$default` does not have.
      integration: new HttpLambdaIntegration("fallback", lambda),
    });
    Validations.of(made).acknowledge({
      id: "AwsSolutions-APIG4",
      reason: "It returns 404 and 405 only.",
    });
  }
}

/** One line per request, without headers, query and body: they may contain personal data. */
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
