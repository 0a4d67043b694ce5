import { CfnOutput, Duration, SecretValue, Stack, Validations } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { originSecretHeader, viewerAddressHeader } from "#shared/http/caller-address.ts";
import type { OwnDomain } from "./own-domain.ts";

interface FrontProps {
  api: HttpApi;
  own: OwnDomain | undefined;
  webAclArn: string;
  /** What CloudFront proves itself with to the functions behind it. */
  originSecret: Secret;
  originSecretVersion: string | undefined;
  logs: IBucket;
}

/** What tells one answer from another, beside the address. */
const answersDifferBy = [
  "Authorization",
  // API Gateway names the caller's origin in its answer.
  "Origin",
  "Access-Control-Request-Method",
  "Access-Control-Request-Headers",
];

/**
 * What else the service reads. `If-None-Match` is CloudFront's own to answer, and no more than ten may be named.
 */
const handedOn = [
  "Content-Type",
  "If-Match",
  "Idempotency-Key",
  "X-Cart-Token",
  "X-Order-Token",
  "Stripe-Signature",
  "X-Hub-Signature-256",
  viewerAddressHeader,
];

/** Errors that CloudFront would remember for ten seconds by itself: a page may be published meanwhile. */
const rememberedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** CloudFront and its firewall in front of the API: it keeps what the service calls public, for as long as that says. */
export class Front extends Construct {
  constructor(scope: Construct, id: string, props: FrontProps) {
    super(scope, id);
    const { api, own, webAclArn, logs } = props;
    const distribution = new Distribution(this, "Distribution", {
      comment: Stack.of(this).stackName,
      webAclId: webAclArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableLogging: true,
      logBucket: logs,
      logFilePrefix: "api-distribution/",
      ...(own && {
        domainNames: [own.domain],
        certificate: Certificate.fromCertificateArn(this, "Certificate", own.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      errorResponses: rememberedErrors.map((httpStatus) => ({
        httpStatus,
        ttl: Duration.seconds(0),
      })),
      defaultBehavior: {
        origin: new HttpOrigin(hostOf(api), {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [originSecretHeader]: secretIn(props) },
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: this.#cachePolicy(),
        originRequestPolicy: this.#requestPolicy(),
      },
    });
    this.#acknowledge(distribution, own);
    new CfnOutput(scope, "FrontUrl", {
      value: `https://${own?.domain ?? distribution.domainName}`,
    });
    new CfnOutput(scope, "FrontTarget", {
      value: distribution.domainName,
      description: "What the CNAME record of the service's own name says.",
    });
  }

  #cachePolicy(): CachePolicy {
    return new CachePolicy(this, "Cache", {
      comment: "As long as Cache-Control says; nothing without it.",
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.minutes(5),
      headerBehavior: CacheHeaderBehavior.allowList(...answersDifferBy),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }

  #requestPolicy(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, "Request", {
      headerBehavior: OriginRequestHeaderBehavior.allowList(...handedOn),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
  }

  #acknowledge(distribution: Distribution, own: OwnDomain | undefined): void {
    Validations.of(distribution).acknowledge({
      id: "AwsSolutions-CFR1",
      reason: "The shop sells to whoever it delivers to; that is decided at the quote.",
    });
    if (own) return;
    Validations.of(distribution).acknowledge({
      id: "AwsSolutions-CFR4",
      reason: "CloudFront's own domain allows no choice of TLS version.",
    });
  }
}

const hostOf = ({ apiId, stack }: HttpApi) =>
  `${apiId}.execute-api.${stack.region}.${stack.urlSuffix}`;

/**
 * The secret's value, put in by CloudFormation when it deploys. It looks again only where the text of the template
 * has changed, so that whoever rotates the secret names the version.
 */
function secretIn({ originSecret, originSecretVersion: versionId }: FrontProps): string {
  const version = versionId === undefined ? {} : { versionId };
  return SecretValue.secretsManager(originSecret.secretArn, version).unsafeUnwrap();
}
