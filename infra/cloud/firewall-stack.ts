import { Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";

/** Requests per client in five minutes. A page of the storefront makes about ten. */
const callsPerClient = 2_000;
/** The same for sign-in and other routes where a password or link could be guessed. */
const attemptsPerClient = 200;

/**
 * AWS managed rules that inspect bodies and would block valid requests: staff send HTML, and documents are up to 256
 * KB. They only count. Schemas validate bodies, and HTML is sanitised.
 */
const countedOnly = [
  "SizeRestrictions_BODY",
  "CrossSiteScripting_BODY",
  "GenericRFI_BODY",
  "GenericLFI_BODY",
  "EC2MetaDataSSRF_BODY",
];

interface FirewallStackProps extends StackProps {
  /** `count` only counts what the rules match, so that an operator sees what `block` would refuse. */
  readonly mode: "count" | "block";
}

/** CloudFront's firewall. It is a separate stack because CloudFront accepts a web ACL from us-east-1 only. */
export class FirewallStack extends Stack {
  readonly webAclArn: string;
  readonly ruleCount: number;

  constructor(scope: Construct, id: string, { mode, ...props }: FirewallStackProps) {
    super(scope, id, props);
    const rules: Omit<CfnWebACL.RuleProperty, "priority" | "visibilityConfig">[] = [
      managed(mode, "AWSManagedRulesAmazonIpReputationList"),
      perClient(mode, "Attempts", attemptsPerClient, signInPaths),
      perClient(mode, "Calls", callsPerClient),
      managed(mode, "AWSManagedRulesKnownBadInputsRuleSet"),
      managed(mode, "AWSManagedRulesCommonRuleSet", countedOnly),
    ];
    const webAcl = new CfnWebACL(this, "WebAcl", {
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: visibleAs(id),
      rules: rules.map((rule, priority) => ({
        ...rule,
        priority,
        visibilityConfig: visibleAs(rule.name),
      })),
    });
    this.webAclArn = webAcl.attrArn;
    this.ruleCount = rules.length;
  }
}

const visibleAs = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});

function managed(mode: FirewallStackProps["mode"], name: string, counted: readonly string[] = []) {
  return {
    name,
    overrideAction: mode === "count" ? { count: {} } : { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: "AWS",
        name,
        // AWS rejects an empty list.
        ...(counted.length > 0 && {
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        }),
      },
    },
  };
}

const signInPaths = "/auth/";

/**
 * Returns 429, as the service does. A client is an IP address with a TLS fingerprint: all customers of a mobile carrier
 * may share one address, and no header tells them apart that a caller cannot choose.
 */
function perClient(mode: FirewallStackProps["mode"], name: string, limit: number, within?: string) {
  return {
    name,
    action: mode === "count" ? { count: {} } : { block: { customResponse: { responseCode: 429 } } },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: "CUSTOM_KEYS",
        customKeys: [{ ip: {} }, { ja4Fingerprint: { fallbackBehavior: "MATCH" } }],
        evaluationWindowSec: 300,
        limit,
        ...(within !== undefined && {
          scopeDownStatement: {
            andStatement: {
              statements: [
                matches({ method: {} }, "EXACTLY", "POST", "NONE"),
                matches({ uriPath: {} }, "CONTAINS", within, "URL_DECODE"),
              ],
            },
          },
        }),
      },
    },
  };
}

function matches(
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  positionalConstraint: string,
  searchString: string,
  transformation: string,
): CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: transformation }];
  return {
    byteMatchStatement: { fieldToMatch, positionalConstraint, searchString, textTransformations },
  };
}
