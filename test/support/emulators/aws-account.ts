import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "./failing-servers.ts";

/** The state that the stand-in for an AWS account reports. Each member belongs to one service. */
export interface AccountState {
  credentials: boolean;
  /** Stack name → status; a missing stack does not exist. */
  stacks: Record<string, string>;
  bootstrapVersion: number;
  /** Quota code → value. */
  quotas: Record<string, number>;
  mail: { production: boolean; sending: boolean };
  /** Domain → whether it is verified. */
  identities: Record<string, boolean>;
  distributions: number;
  cloudFront: boolean;
}

export interface AccountStandIn {
  readonly endpoint: string;
  state: AccountState;
  stop(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

const xml = (body: string, status = 200): Answer => ({ status, type: "text/xml", body });
const json = (body: object, status = 200): Answer => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});
const refusal = (code: string, message: string, status: number) =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    status,
  );

function answerTo(path: string, target: string, body: string, state: AccountState): Answer {
  if (path.startsWith("/v2/email/account")) {
    const { production, sending } = state.mail;
    return json({ ProductionAccessEnabled: production, SendingEnabled: sending });
  }
  if (path.startsWith("/v2/email/identities/")) {
    const verified = state.identities[decodeURIComponent(path.split("/").at(-1) ?? "")];
    if (verified === undefined) {
      return json({ __type: "NotFoundException", message: "Email identity does not exist." }, 404);
    }
    return json({ VerifiedForSendingStatus: verified });
  }
  if (path.includes("/distribution")) {
    if (!state.cloudFront) return refusal("AccessDenied", "Your account must be verified", 403);
    return xml(
      `<DistributionList><Quantity>${state.distributions}</Quantity><MaxItems>1</MaxItems><IsTruncated>false</IsTruncated><Marker></Marker></DistributionList>`,
    );
  }
  if (target.endsWith(".GetServiceQuota")) {
    const { QuotaCode = "" } = JSON.parse(body) as { QuotaCode?: string };
    return json({ Quota: { QuotaCode, Value: state.quotas[QuotaCode] } });
  }
  const call = new URLSearchParams(body);
  if (call.get("Action") === "GetCallerIdentity") {
    if (!state.credentials) return refusal("InvalidClientTokenId", "The token is invalid", 403);
    return xml(
      "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>",
    );
  }
  const name = call.get("StackName") ?? "";
  const status = state.stacks[name];
  if (status === undefined) {
    return refusal("ValidationError", `Stack with id ${name} does not exist`, 400);
  }
  const output = `<Outputs><member><OutputKey>BootstrapVersion</OutputKey><OutputValue>${state.bootstrapVersion}</OutputValue></member></Outputs>`;
  return xml(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><CreationTime>2026-11-22T09:00:00.000Z</CreationTime><StackStatus>${status}</StackStatus>${output}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

/** A loopback stand-in for the calls that preflight makes to STS, CloudFormation, Service Quotas, SES and CloudFront. */
export async function startAccount(state: AccountState): Promise<AccountStandIn> {
  const respond = async (request: IncomingMessage) =>
    answerTo(
      request.url ?? "/",
      String(request.headers["x-amz-target"] ?? ""),
      await text(request),
      standIn.state,
    );
  const server = await serveOnLoopback((request, response) => {
    void respond(request).then(({ status = 200, type, body }) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
  });
  const standIn: AccountStandIn = {
    endpoint: server.baseUrl,
    state,
    stop: () => server.stop(),
  };
  return standIn;
}
