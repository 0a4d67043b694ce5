import { Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";

/** Requests per IP address in five minutes. A page of the storefront makes about ten. */
const callsPerAddress = 2_000;
/** The same for sign-in and other routes where a password or link could be guessed. */
const attemptsPerAddress = 200;

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

/** CloudFront's firewall. It is a separate stack because CloudFront accepts a web ACL from us-east-1 only. */
export class FirewallStack extends Stack {
  readonly webAclArn: string;
  readonly ruleCount: number;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const rules: Omit<CfnWebACL.RuleProperty, "priority" | "visibilityConfig">[] = [
      managed("AWSManagedRulesAmazonIpReputationList"),
      perAddress("Attempts", attemptsPerAddress, signInPaths),
      perAddress("Calls", callsPerAddress),
      managed("AWSManagedRulesKnownBadInputsRuleSet"),
      managed("AWSManagedRulesCommonRuleSet", countedOnly),
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

function managed(name: string, counted: readonly string[] = []) {
  return {
    name,
    overrideAction: { none: {} },
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

/** Returns 429, as the service does. */
function perAddress(name: string, limit: number, within?: string) {
  return {
    name,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: "IP",
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
