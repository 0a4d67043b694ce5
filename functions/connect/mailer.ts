import { type Mailer, openMailer } from "#shared/mail/mailer.ts";
import { readVariable } from "#shared/runtime/environment.ts";

export const connectMailer = (environment: NodeJS.ProcessEnv): Mailer =>
  openMailer({
    from: readVariable(environment, "MAIL_FROM"),
    configurationSet: readVariable(environment, "MAIL_CONFIGURATION_SET"),
    endpoint: readVariable(environment, "SES_ENDPOINT"),
  });
