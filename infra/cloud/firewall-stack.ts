import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";

/** Calls of one address in five minutes. A page of the storefront makes about ten. */
const callsPerAddress = 2_000;
/** The same for signing in and whatever else may guess a password or a link. */
const attemptsPerAddress = 200;

/**
 * Rules of AWS's that look into bodies and would refuse what is ours: staff write HTML, and documents are up to 256 KB.
 * They count only; bodies are judged by schemas, and HTML is sanitised.
 */
const countedOnly = [
  "SizeRestrictions_BODY",
  "CrossSiteScripting_BODY",
  "GenericRFI_BODY",
  "GenericLFI_BODY",
  "EC2MetaDataSSRF_BODY",
];

/** The firewall of a distribution. CloudFront takes one from us-east-1 alone, so that it is a stack of its own. */
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
    // Read from the stack's output at deployment, across regions, without functions that would carry it over.
    CrossStackReferences.of(webAcl).produce(ReferenceStrength.WEAK);
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
        // AWS takes no empty list.
        ...(counted.length > 0 && {
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        }),
      },
    },
  };
}

const signInPaths = "/auth/";

/** Answers 429, as the service itself does. */
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
