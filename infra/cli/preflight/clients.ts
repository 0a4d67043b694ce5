import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { ServiceQuotasClient } from "@aws-sdk/client-service-quotas";
import { STSClient } from "@aws-sdk/client-sts";

export interface Clients {
  readonly sts: STSClient;
  readonly quotas: ServiceQuotasClient;
  readonly mail: SESv2Client;
  readonly cloudFront: CloudFrontClient;
  /** CloudFormation in a region. */
  stacksIn(region: string): CloudFormationClient;
}

/** @param endpoint URL of an emulator of all these services; undefined: AWS, with the credentials of the environment */
export function openClients(region: string, endpoint: string | undefined): Clients {
  const options = { region, maxAttempts: 3, ...(endpoint !== undefined && { endpoint }) };
  return {
    sts: new STSClient(options),
    quotas: new ServiceQuotasClient(options),
    mail: new SESv2Client(options),
    cloudFront: new CloudFrontClient(options),
    stacksIn: (other) => new CloudFormationClient({ ...options, region: other }),
  };
}
