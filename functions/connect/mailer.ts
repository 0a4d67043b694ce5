import { withPictureUrls } from "#shared/mail/letter.ts";
import { type Mailer, openMailer } from "#shared/mail/mailer.ts";
import { readVariable } from "#shared/runtime/environment.ts";

export const connectMailer = (environment: NodeJS.ProcessEnv): Mailer =>
  openMailer({
    from: readVariable(environment, "MAIL_FROM"),
    configurationSet: readVariable(environment, "MAIL_CONFIGURATION_SET"),
    endpoint: readVariable(environment, "SES_ENDPOINT"),
  });

/** A mailer of letters with pictures. @param mediaBaseUrl where pictures are public */
export function connectPictureMailer(environment: NodeJS.ProcessEnv, mediaBaseUrl: string): Mailer {
  const { send } = connectMailer(environment);
  return { send: (mail) => send({ ...mail, html: withPictureUrls(mail.html, mediaBaseUrl) }) };
}
