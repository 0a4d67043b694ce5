import { GetAccountCommand, GetEmailIdentityCommand } from "@aws-sdk/client-sesv2";
import type { Clients } from "./clients.ts";
import { type Finding, errorName, note, ok, problem, wordsOf } from "./finding.ts";

interface MailState {
  readonly domain: string | undefined;
  readonly production: boolean;
  /** Whether the data stack exists. It creates the mail domain's identity in SES. */
  readonly deployed: boolean;
}

export async function mail(clients: Clients, state: MailState): Promise<Finding[]> {
  if (state.domain === undefined) {
    const message = "Without -c mailDomain=… no mail is sent: mails stay in the outbox.";
    return [state.production ? problem(message) : note(message)];
  }
  return [
    await sending(clients, state),
    await identity(clients, { ...state, domain: state.domain }),
  ];
}

async function sending({ mail: client }: Clients, { production }: MailState): Promise<Finding> {
  try {
    const { ProductionAccessEnabled, SendingEnabled } = await client.send(new GetAccountCommand());
    if (SendingEnabled === false) {
      return problem(
        "SES has paused sending for the account: see its reputation in SES's console.",
      );
    }
    if (ProductionAccessEnabled) return ok("SES sends to every address.");
    const message =
      "SES is in the sandbox: it sends to verified addresses only. Request production access in " +
      "SES's console.";
    return production ? problem(message) : note(message);
  } catch (cause) {
    return problem(`SES does not answer in the region: ${wordsOf(cause)}.`);
  }
}

async function identity(
  { mail: client }: Clients,
  { domain, deployed }: MailState & { readonly domain: string },
): Promise<Finding> {
  try {
    const { VerifiedForSendingStatus } = await client.send(
      new GetEmailIdentityCommand({ EmailIdentity: domain }),
    );
    if (!deployed) {
      return problem(
        `SES already has the identity ${domain}, which the data stack creates. Delete it, or use ` +
          `a domain of this stage's own, such as dev.${domain}.`,
      );
    }
    if (VerifiedForSendingStatus) return ok(`SES has verified ${domain}.`);
    return problem(
      `SES has not verified ${domain}: add the DNS records of the data stack's outputs MailCname….`,
    );
  } catch (cause) {
    if (errorName(cause) !== "NotFoundException") {
      return problem(`The identity ${domain} cannot be read: ${wordsOf(cause)}.`);
    }
    return deployed
      ? note(`SES does not have ${domain} yet: this deployment creates it.`)
      : ok(`The data stack will create the identity ${domain}.`);
  }
}
