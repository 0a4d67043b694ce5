import { CfnOutput } from "aws-cdk-lib";
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type IStage,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { Construct } from "constructs";

/** A custom domain and its certificate. */
export interface OwnDomain {
  readonly domain: string;
  readonly certificateArn: string;
}

/** Attaches a custom domain to the API. */
export class DomainOfApi extends Construct {
  constructor(scope: Construct, own: OwnDomain, api: HttpApi, stage: IStage) {
    super(scope, "OwnDomain");
    const name = new DomainName(this, "Name", {
      domainName: own.domain,
      certificate: Certificate.fromCertificateArn(this, "Certificate", own.certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, "Mapping", { api, stage, domainName: name });
    new CfnOutput(scope, "DomainTarget", {
      value: name.regionalDomainName,
      description: `Target of the CNAME record of ${own.domain}.`,
    });
  }
}
