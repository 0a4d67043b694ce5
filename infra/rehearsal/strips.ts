import { createHash } from "node:crypto";

/** The parts of a synthesized template that a strip may change. */
export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
}

interface Resource {
  Type: string;
  Properties?: Properties;
  DependsOn?: string | string[];
  UpdatePolicy?: Record<string, unknown>;
}

/** The properties that strips read or change. */
interface Properties {
  PolicyDocument?: { Statement: Statement[] };
  Metrics?: unknown;
  CorsConfiguration?: unknown;
  GenerateSecretString?: unknown;
  SecretString?: string;
  Timeout?: number;
  Environment?: { Variables: Record<string, string> };
}

/** The deployments of a rehearsal. Every form has the strips of `plain`. */
export type DeploymentForm = "plain" | "cdn";

/** Something that MiniStack lacks, and how a template gets along without it. */
export interface Strip {
  readonly name: string;
  /** What MiniStack does instead of what AWS does. */
  readonly reason: string;
  /** The first form in which the strip must find something. */
  readonly form: DeploymentForm;
  /** Changes the template in place. Returns how many places it changed. */
  apply(template: Template, stack: string): number;
}

/** Removes the resources that match, and what depends on or refers to them: `DependsOn` and outputs. */
function without(matches: (resource: Resource) => boolean): Strip["apply"] {
  return (template) => {
    const { Resources, Outputs = {} } = template;
    const removed = new Set(Object.keys(Resources).filter((id) => matches(Resources[id]!)));
    for (const id of removed) delete Resources[id];
    for (const resource of Object.values(Resources)) {
      if (resource.DependsOn === undefined) continue;
      const left = [resource.DependsOn].flat().filter((id) => !removed.has(id));
      if (left.length > 0) resource.DependsOn = left;
      else delete resource.DependsOn;
    }
    for (const [name, output] of Object.entries(Outputs))
      if (refersTo(output, removed)) delete Outputs[name];
    return removed.size;
  };
}

const ofType =
  (...types: string[]) =>
  ({ Type }: Resource): boolean =>
    types.includes(Type);

/** Whether a value has a `Ref` or `Fn::GetAtt` of one of the resources. */
function refersTo(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { Ref: ref, "Fn::GetAtt": attribute } = value as { Ref?: string; "Fn::GetAtt"?: string[] };
  if (ids.has(ref ?? "") || ids.has(attribute?.[0] ?? "")) return true;
  return Object.values(value).some((member) => refersTo(member, ids));
}

const resources = ({ Resources }: Template, ...types: string[]): [id: string, Properties][] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
    types.includes(Type) ? [[id, Properties]] : [],
  );

/** Applies a change to each statement of the IAM policies of a template. */
const inPolicies =
  (change: (statement: Statement) => boolean): Strip["apply"] =>
  (template) =>
    resources(template, "AWS::IAM::Policy")
      .flatMap(([, { PolicyDocument }]) => PolicyDocument?.Statement ?? [])
      .filter(change).length;

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, unknown>;
}

const allows = ({ Action }: Statement, action: string): boolean => [Action].flat().includes(action);

/** What MiniStack 1.5.33 and a machine of its own lack. With a new version, the rehearsal is tried without each. */
export const strips: readonly Strip[] = [
  {
    name: "CodeDeploy",
    reason: "MiniStack has no CodeDeploy resources, so aliases move at once.",
    form: "plain",
    apply: without(ofType("AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup")),
  },
  {
    name: "UpdatePolicy",
    reason: "An update policy names a CodeDeploy deployment group.",
    form: "plain",
    apply(template) {
      const shifting = Object.values(template.Resources).filter(
        ({ UpdatePolicy }) => UpdatePolicy?.["CodeDeployLambdaAliasUpdate"] !== undefined,
      );
      for (const resource of shifting) delete resource.UpdatePolicy;
      return shifting.length;
    },
  },
  {
    name: "budget",
    reason: "MiniStack has no budgets in CloudFormation.",
    form: "plain",
    apply: without(ofType("AWS::Budgets::Budget")),
  },
  {
    name: "alarms of metric math",
    reason: "MiniStack's alarms know one metric, and fail without its name.",
    form: "plain",
    apply: without(
      ({ Type, Properties }) =>
        Type === "AWS::CloudWatch::Alarm" && Properties?.Metrics !== undefined,
    ),
  },
  {
    name: "DKIM outputs",
    reason: "MiniStack's mail identity has no DKIM tokens.",
    form: "plain",
    apply({ Outputs = {} }) {
      const names = Object.keys(Outputs).filter((name) =>
        JSON.stringify(Outputs[name]).includes("DkimDNSToken"),
      );
      for (const name of names) delete Outputs[name];
      return names.length;
    },
  },
  {
    name: "TLS only",
    reason: "MiniStack is called over HTTP.",
    form: "plain",
    apply(template) {
      const isForTls = ({ Effect, Condition }: Statement) =>
        Effect === "Deny" && JSON.stringify(Condition ?? {}).includes("aws:SecureTransport");
      const types = ["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"];
      let removed = 0;
      for (const [, { PolicyDocument }] of resources(template, ...types)) {
        if (!PolicyDocument) continue;
        const { Statement: statements } = PolicyDocument;
        const left = statements.filter((statement) => !isForTls(statement));
        removed += statements.length - left.length;
        PolicyDocument.Statement = left;
      }
      // CloudFormation takes no policy without statements.
      without(
        ({ Type, Properties }) =>
          types.includes(Type) && Properties?.PolicyDocument?.Statement.length === 0,
      )(template, "");
      return removed;
    },
  },
  {
    name: "generated secrets",
    reason: "MiniStack generates secrets with the characters that are excluded.",
    form: "plain",
    apply(template, stack) {
      const generated = resources(template, "AWS::SecretsManager::Secret").filter(
        ([, { GenerateSecretString }]) => GenerateSecretString !== undefined,
      );
      for (const [id, secret] of generated) {
        delete secret.GenerateSecretString;
        secret.SecretString = createHash("sha256").update(`${stack}/${id}`).digest("hex");
      }
      return generated.length;
    },
  },
  {
    name: "ARNs of secrets",
    reason: "MiniStack's Ref of a secret is its name. On AWS it is the ARN, which policies need.",
    form: "plain",
    apply(template) {
      const ids = new Set(resources(template, "AWS::SecretsManager::Secret").map(([id]) => id));
      let changed = 0;
      const byArn = (_name: string, value: { Ref?: string } | null): unknown => {
        const ref = value?.Ref;
        if (ref === undefined || !ids.has(ref)) return value;
        changed += 1;
        return { "Fn::GetAtt": [ref, "Id"] };
      };
      Object.assign(template, JSON.parse(JSON.stringify(template), byArn));
      return changed;
    },
  },
  {
    name: "batches of messages",
    reason: "MiniStack authorizes SendMessageBatch by its own name, AWS as sqs:SendMessage.",
    form: "plain",
    apply: inPolicies((statement) => {
      if (!allows(statement, "sqs:SendMessage")) return false;
      statement.Action = [statement.Action, "sqs:SendMessageBatch"].flat();
      return true;
    }),
  },
  {
    name: "sender of mails",
    reason: "MiniStack authorizes ses:SendEmail for the resource * only, without ses:FromAddress.",
    form: "plain",
    apply: inPolicies((statement) => {
      if (!allows(statement, "ses:SendEmail")) return false;
      statement.Resource = "*";
      delete statement.Condition;
      return true;
    }),
  },
  {
    name: "leading keys",
    reason: "MiniStack does not know the condition key dynamodb:LeadingKeys.",
    form: "plain",
    apply: inPolicies((statement) => {
      if (!JSON.stringify(statement.Condition ?? {}).includes("dynamodb:LeadingKeys")) return false;
      delete statement.Condition;
      return true;
    }),
  },
  {
    name: "timeouts",
    reason: "All functions share this machine, so they are slower than on Lambda.",
    form: "plain",
    apply(template) {
      const functions = resources(template, "AWS::Lambda::Function");
      for (const [, properties] of functions) {
        properties.Timeout = 900;
        const variables = { ...properties.Environment?.Variables, TIMEOUT_MULTIPLIER: "60" };
        properties.Environment = { Variables: variables };
      }
      return functions.length;
    },
  },
  {
    name: "log deliveries",
    reason: "MiniStack has no log deliveries, which are for CloudFront.",
    form: "cdn",
    apply: without(
      ofType("AWS::Logs::Delivery", "AWS::Logs::DeliverySource", "AWS::Logs::DeliveryDestination"),
    ),
  },
];
