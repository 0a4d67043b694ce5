import { Annotations, CfnOutput, Duration, Stack, type StackProps, Validations } from "aws-cdk-lib";
import {
  Distribution,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Bucket, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { mediaHeaders } from "#shared/files/media-headers.ts";
import type { DataStack } from "./data-stack.ts";

interface MediaStackProps extends StackProps {
  readonly data: DataStack;
}

/** The distribution of public files. Apart from the data, so that a deployment that fails here can be repeated. */
export class MediaStack extends Stack {
  /** Public URL of the media bucket, without a trailing slash. */
  readonly mediaBaseUrl: string;

  constructor(scope: Construct, id: string, { data, ...props }: MediaStackProps) {
    super(scope, id, props);
    const distribution = new Distribution(this, "Distribution", {
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.#withoutPolicy(data.media)),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: this.#headers(),
      },
      enableLogging: true,
      logBucket: data.logs,
      logFilePrefix: "media-distribution/",
    });
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

  /** The bucket's policy belongs to the data stack, which lets CloudFront read. */
  #withoutPolicy({ bucketArn, bucketName, bucketRegionalDomainName }: IBucket): IBucket {
    const bucket = Bucket.fromBucketAttributes(this, "Media", {
      bucketArn,
      bucketName,
      bucketRegionalDomainName,
    });
    Annotations.of(this).acknowledgeWarning(
      "@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac",
      "The data stack's policy of the bucket allows it.",
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
