import { ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";

/** Requests per client in five minutes. A page of the storefront makes about ten. */
const callsPerClient = 2_000;
/** Requests per client in five minutes to sign-in and other routes where a password or link could be guessed. */
const attemptsPerClient = 200;
/**
 * Requests per IP address in five minutes. This also limits a caller that varies its TLS settings and so counts as many
 * clients. The limit is higher than that for one client, because all customers of a mobile carrier may share one
 * address.
 */
export const callsPerAddress = 6_000;
export const windowSeconds = 300;

/**
 * AWS managed rules that only count their matches. They would block valid requests, because staff send HTML, and
 * documents of up to 256 KB. The service itself validates bodies with schemas and sanitises HTML.
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
      rateRule(mode, "CallsOfAddress", { aggregateKeyType: "IP", limit: callsPerAddress }),
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
    // Another region reads it. A strong reference would add a function of CDK's that copies it there.
    webAcl.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
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
 * Limits requests per client, which is an IP address with a TLS fingerprint. The address alone is not enough, because
 * all customers of a mobile carrier may share one. A header cannot identify a client, because a caller can choose it.
 */
function perClient(mode: FirewallStackProps["mode"], name: string, limit: number, within?: string) {
  return rateRule(mode, name, {
    aggregateKeyType: "CUSTOM_KEYS",
    customKeys: [{ ip: {} }, { ja4Fingerprint: { fallbackBehavior: "MATCH" } }],
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
  });
}

/**
 * Returns a firewall rule that limits the rate of requests. Requests above the limit get a 429, as from the service.
 */
function rateRule(
  mode: FirewallStackProps["mode"],
  name: string,
  statement: CfnWebACL.RateBasedStatementProperty,
) {
  return {
    name,
    action: mode === "count" ? { count: {} } : { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { evaluationWindowSec: windowSeconds, ...statement } },
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
