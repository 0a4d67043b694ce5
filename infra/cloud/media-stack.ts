import { Annotations, CfnOutput, Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
import {
  Distribution,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import {
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { Bucket, BucketPolicy, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { mediaHeaders } from "#shared/files/media-headers.ts";
import type { DataStack } from "./data-stack.ts";

interface MediaStackProps extends StackProps {
  readonly data: DataStack;
}

/**
 * The CloudFront distribution of public files. It is not in the data stack, so that a deployment that fails here can be
 * repeated.
 */
export class MediaStack extends Stack {
  readonly distribution: Distribution;
  /** Public URL of the media bucket, without a trailing slash. */
  readonly mediaBaseUrl: string;

  constructor(scope: Construct, id: string, { data, ...props }: MediaStackProps) {
    super(scope, id, props);
    const bucket = this.#withoutPolicy(data.media);
    const distribution = (this.distribution = new Distribution(this, "Distribution", {
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: this.#headers(),
      },
    }));
    this.#onlyFor(distribution, bucket);
    Validations.of(distribution).acknowledge(
      {
        id: "AwsSolutions-CFR1",
        reason: "The shop has no geographic restriction; the delivery zones decide at checkout.",
      },
      {
        id: "AwsSolutions-CFR2",
        reason: "It serves public files from a private bucket.",
      },
      {
        id: "AwsSolutions-CFR3",
        reason: "The edge stack configures its logs, by standard logging (v2).",
      },
      {
        id: "AwsSolutions-CFR4",
        reason: "The TLS version cannot be set for CloudFront's own domain name.",
      },
    );
    this.mediaBaseUrl = `https://${distribution.distributionDomainName}`;
    new CfnOutput(this, "MediaBaseUrl", {
      value: this.mediaBaseUrl,
      description: "For `npm run rebuild-index`.",
    });
  }

  /**
   * Sets the bucket's policy. A bucket has only one, and the data stack cannot set it, because the policy names the
   * distribution.
   */
  #onlyFor({ distributionArn }: Distribution, bucket: IBucket): void {
    const objects = bucket.arnForObjects("*");
    const refuse = (conditions: Record<string, object>) =>
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ["s3:*"],
        resources: [bucket.bucketArn, objects],
        conditions,
      });
    new BucketPolicy(this, "MediaPolicy", {
      bucket,
      document: new PolicyDocument({
        statements: [
          refuse({ Bool: { "aws:SecureTransport": "false" } }),
          refuse({ NumericLessThan: { "s3:TlsVersion": 1.2 } }),
          new PolicyStatement({
            principals: [new ServicePrincipal("cloudfront.amazonaws.com")],
            actions: ["s3:GetObject"],
            resources: [objects],
            conditions: { StringEquals: { "aws:SourceArn": distributionArn } },
          }),
        ],
      }),
    });
  }

  /** The bucket, imported into this stack. CDK's original object would add a policy in the data stack. */
  #withoutPolicy({ bucketArn, bucketName, bucketRegionalDomainName }: IBucket): IBucket {
    const bucket = Bucket.fromBucketAttributes(this, "Media", {
      bucketArn,
      bucketName,
      bucketRegionalDomainName,
    });
    Annotations.of(this).acknowledgeWarning(
      "@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac",
      "The policy of this stack allows it.",
    );
    return bucket;
  }

  #headers(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, "Headers", {
      // Pages on other origins also read files as data: canvas and WebGL require CORS.
      corsBehavior: {
        accessControlAllowCredentials: false,
        accessControlAllowHeaders: ["*"],
        accessControlAllowMethods: ["GET", "HEAD"],
        accessControlAllowOrigins: ["*"],
        originOverride: true,
      },
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: mediaHeaders.contentSecurityPolicy,
          override: true,
        },
        contentTypeOptions: { override: true },
        referrerPolicy: {
          referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
          override: true,
        },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(365),
          override: true,
        },
      },
    });
  }
}
