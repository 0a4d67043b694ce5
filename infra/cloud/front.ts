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
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { viewerAddressHeader } from "#shared/http/caller-address.ts";
import { originSecretHeader } from "#shared/http/origin.ts";
import type { OwnDomain } from "./own-domain.ts";

interface FrontProps {
  api: HttpApi;
  own: OwnDomain | undefined;
  webAclArn: string;
  /** Secret that CloudFront sends to the functions. */
  originSecret: Secret;
  originSecretVersion: string | undefined;
}

/** Request headers that are part of CloudFront's cache key. */
const cacheKeyHeaders = [
  "Authorization",
  // API Gateway returns the caller's origin in its CORS headers.
  "Origin",
  "Access-Control-Request-Method",
  "Access-Control-Request-Headers",
];

/**
 * Further headers that CloudFront forwards because the service reads them; at most ten are possible. `If-None-Match` is
 * missing, because CloudFront handles it itself.
 */
const forwardedHeaders = [
  "Content-Type",
  "If-Match",
  "Idempotency-Key",
  "X-Cart-Token",
  "X-Order-Token",
  "Stripe-Signature",
  "X-Hub-Signature-256",
  // Without it, CloudFront sends its own, and all sessions would show the same browser.
  "User-Agent",
  viewerAddressHeader,
];

/**
 * Error statuses that CloudFront would cache for ten seconds by default. It must not, because a missing page may be
 * published meanwhile.
 */
const uncachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * CloudFront and its firewall in front of the API. Public responses are cached as long as their Cache-Control allows.
 */
export class Front extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: FrontProps) {
    super(scope, id);
    const { api, own, webAclArn } = props;
    const distribution = (this.distribution = new Distribution(this, "Distribution", {
      comment: Stack.of(this).stackName,
      webAclId: webAclArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(own && {
        domainNames: [own.domain],
        certificate: Certificate.fromCertificateArn(this, "Certificate", own.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      errorResponses: uncachedErrors.map((httpStatus) => ({
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
    }));
    this.#acknowledge(distribution, own);
    new CfnOutput(scope, "FrontUrl", {
      value: `https://${own?.domain ?? distribution.domainName}`,
    });
    new CfnOutput(scope, "FrontTarget", {
      value: distribution.domainName,
      description: "Target of the CNAME record of the custom domain.",
    });
  }

  #cachePolicy(): CachePolicy {
    return new CachePolicy(this, "Cache", {
      comment: "Follows Cache-Control; responses without it are not cached.",
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.minutes(5),
      headerBehavior: CacheHeaderBehavior.allowList(...cacheKeyHeaders),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }

  #requestPolicy(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, "Request", {
      headerBehavior: OriginRequestHeaderBehavior.allowList(...forwardedHeaders),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
  }

  #acknowledge(distribution: Distribution, own: OwnDomain | undefined): void {
    Validations.of(distribution).acknowledge(
      {
        id: "AwsSolutions-CFR1",
        reason: "The shop has no geographic restriction; the delivery zones decide at checkout.",
      },
      {
        id: "AwsSolutions-CFR3",
        reason: "The edge stack configures its logs, by standard logging (v2).",
      },
    );
    if (own) return;
    Validations.of(distribution).acknowledge({
      id: "AwsSolutions-CFR4",
      reason: "The TLS version cannot be set for CloudFront's own domain name.",
    });
  }
}

const hostOf = ({ apiId, stack }: HttpApi) =>
  `${apiId}.execute-api.${stack.region}.${stack.urlSuffix}`;

/**
 * The value of the origin secret. CloudFormation inserts it at deployment, and does so again only if the template's
 * text changes. Therefore a rotation must set the version.
 */
function secretIn({ originSecret, originSecretVersion: versionId }: FrontProps): string {
  const version = versionId === undefined ? {} : { versionId };
  return SecretValue.secretsManager(originSecret.secretArn, version).unsafeUnwrap();
}
