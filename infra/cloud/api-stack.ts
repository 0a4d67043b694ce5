import { CfnOutput, Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
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
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { Function, type IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { fallbackFamily } from "#functions/families.ts";
import { corsFor } from "#shared/http/cors.ts";
import { type HttpApiRoute, servedRoutes } from "#infra/http-api-routes.ts";
import { Front } from "./front.ts";
import type { FunctionsStack, Manifest } from "./functions-stack.ts";
import { functionOf } from "./service-function.ts";
import { DomainOfApi } from "./own-domain.ts";
import type { StageOptions } from "./stage.ts";
import { lowerThrottles, throttleOf } from "./throttles.ts";

interface ApiStackProps extends StackProps {
  readonly functions: FunctionsStack;
  readonly manifest: Pick<Manifest, "authorizer" | "families">;
  readonly options: StageOptions;
  /** ARN of CloudFront's firewall; undefined unless the switch `cdn` is set. */
  readonly webAclArn: string | undefined;
}

/** The HTTP API: its routes, its authorizer, and CloudFront or a custom domain in front of it. */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;
  /** CloudFront in front of the API; undefined unless the switch `cdn` is set. */
  readonly distribution: Distribution | undefined;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    const { functions, manifest, options, webAclArn, ...stackProps } = props;
    super(scope, id, stackProps);
    const { authorizer, families } = manifest;
    const { own, originSecretVersion, callsPerSecond } = options;
    const { originSecret } = functions;
    const api = (this.httpApi = this.#api(options.origins));
    const stage = this.#stage(api, options);

    /** The function, imported into this stack. So the permissions for API Gateway to invoke it belong to this stack. */
    const referenced = ({ name }: DeployedFunction) =>
      Function.fromFunctionAttributes(this, name, {
        functionArn: functionOf(functions, name).alias.functionArn,
        sameEnvironment: true,
      });
    const guard = this.#guard(referenced(authorizer));
    const integrations = new Map<string, HttpLambdaIntegration>();
    for (const family of families) {
      const lambda = referenced(family);
      // One permission per function: one per route would exceed the size limit of a stack.
      const integration = new HttpLambdaIntegration(family.name, lambda, {
        scopePermissionToRoute: false,
      });
      integrations.set(family.name, integration);
      if (family.name === fallbackFamily) this.#fallback(api, lambda);
    }
    for (const { target, ...route } of servedRoutes(families, integrations)) {
      this.#route(api, route, target, guard);
    }
    const routes = families.flatMap((family) => family.routes);
    this.#throttle(stage, lowerThrottles(routes, callsPerSecond));

    if (webAclArn !== undefined && originSecret) {
      const props = { api, own, webAclArn, originSecret, originSecretVersion };
      this.distribution = new Front(this, "Front", props).distribution;
    } else if (own) new DomainOfApi(this, own, api, stage);
    new CfnOutput(this, "BaseUrl", { value: api.apiEndpoint });
  }

  #api(origins: readonly string[]): HttpApi {
    const cors = corsFor(origins);
    return new HttpApi(this, "Api", {
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
  }

  #stage(api: HttpApi, { callsPerSecond, logDays, logRemoval }: StageOptions): HttpStage {
    return api.addStage("Stage", {
      stageName: "$default",
      autoDeploy: true,
      throttle: throttleOf(callsPerSecond),
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, "AccessLog", { retention: logDays, removalPolicy: logRemoval }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
  }

  /** Sets the lower limits of single routes. The stage must be created after the routes that it configures. */
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

  /**
   * The authorizer of guarded routes. API Gateway caches its result per token for five minutes, so the functions also
   * check whether the token's session is still valid.
   */
  #guard(authorizer: IFunction): HttpLambdaAuthorizer {
    return new HttpLambdaAuthorizer("Authorizer", authorizer, {
      identitySource: ["$request.header.Authorization"],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.minutes(5),
    });
  }

  #route(
    httpApi: HttpApi,
    { key, method, path, openBecause }: HttpApiRoute,
    integration: HttpLambdaIntegration,
    authorizer: HttpLambdaAuthorizer,
  ): void {
    const made = new HttpRoute(this, key, {
      httpApi,
      routeKey: HttpRouteKey.with(path, HttpMethod[method]),
      integration,
      ...(openBecause === null && { authorizer }),
    });
    if (openBecause === null) return;
    Validations.of(made).acknowledge({ id: "AwsSolutions-APIG4", reason: openBecause });
  }

  #fallback(httpApi: HttpApi, lambda: IFunction): void {
    const made = new HttpRoute(this, "Fallback", {
      httpApi,
      routeKey: HttpRouteKey.DEFAULT,
      // The fallback needs an integration of its own: the permission of a shared one names a method and path, which
      // `$default` does not have.
      integration: new HttpLambdaIntegration("fallback", lambda),
    });
    Validations.of(made).acknowledge({
      id: "AwsSolutions-APIG4",
      reason: "It returns 404 and 405 only.",
    });
  }
}

/**
 * Members of the access log, one line per request. Headers, query and body are left out, because they may contain
 * personal data. Path and error message are left out, because a quotation mark in them would end the JSON string, and a
 * caller could forge log lines. `messageString`, the quoted message, is left out too: without an error it is a bare
 * hyphen, which is not JSON.
 */
const accessLog = {
  request_id: "$context.requestId",
  at: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  method: "$context.httpMethod",
  route: "$context.routeKey",
  status: "$context.status",
  latency_ms: "$context.responseLatency",
  function_ms: "$context.integrationLatency",
  bytes: "$context.responseLength",
  guard: "$context.authorizer.guard",
  distrust: "$context.authorizer.reason",
  error: "$context.error.responseType",
};
