import { CfnOutput, ReferenceStrength, RemovalPolicy, type Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  MailFromBehaviorOnMxFailure,
} from "aws-cdk-lib/aws-ses";
import { Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";

export interface MailSender {
  readonly identity: EmailIdentity;
  readonly from: string;
  readonly configurationSet: string;
}

/**
 * Sets up the shop's mail domain in SES and outputs the DNS records that it needs. SES reports bounces and complaints
 * to the queue.
 *
 * @param scope the data stack
 */
export function addMail(scope: Stack, domain: string, events: Queue): MailSender {
  const mailFrom = `mail.${domain}`;
  const identity = new EmailIdentity(scope, "MailIdentity", {
    identity: Identity.domain(domain),
    mailFromDomain: mailFrom,
    // Mails also go out while the DNS records are missing, from a domain of SES.
    mailFromBehaviorOnMxFailure: MailFromBehaviorOnMxFailure.USE_DEFAULT_VALUE,
  });
  identity.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  const output = (name: string, value: string) => new CfnOutput(scope, name, { value });
  for (const [position, { name, value }] of identity.dkimRecords.entries()) {
    output(`MailCname${position + 1}`, `${name} CNAME ${value}`);
  }
  output("MailFromMx", `${mailFrom} MX 10 feedback-smtp.${scope.region}.amazonses.com`);
  output("MailFromSpf", `${mailFrom} TXT "v=spf1 include:amazonses.com ~all"`);
  output("MailDmarc", `_dmarc.${domain} TXT "v=DMARC1; p=quarantine; adkim=r; aspf=r"`);

  const configuration = new ConfigurationSet(scope, "MailConfiguration", {
    reputationMetrics: true,
  });
  // Without the switch `mailDomain`, the data stack removes it before the functions stop reading its name.
  configuration.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
  const topic = new Topic(scope, "MailEvents", { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("ses.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": scope.account } },
    }),
  );
  topic.addSubscription(new SqsSubscription(events, { rawMessageDelivery: true }));
  const destination = configuration.addEventDestination("Events", {
    destination: EventDestination.snsTopic(topic),
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
  });
  // SES checks its permission to publish when the destination is created.
  destination.node.addDependency(topic);
  return {
    identity,
    from: `no-reply@${domain}`,
    configurationSet: configuration.configurationSetName,
  };
}
