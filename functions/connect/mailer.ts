import type { IfOpened, Opener, Parts } from "#shared/application/shop.ts";
import { openMailer } from "#shared/mail/mailer.ts";
import { readVariable } from "#shared/runtime/environment.ts";

export const mailer: Opener<Parts["mailer"], IfOpened<"requestHandler">> = (
  environment,
  { requestHandler },
) =>
  openMailer({
    from: readVariable(environment, "MAIL_FROM"),
    configurationSet: readVariable(environment, "MAIL_CONFIGURATION_SET"),
    requestHandler,
    endpoint: readVariable(environment, "SES_ENDPOINT"),
  });
