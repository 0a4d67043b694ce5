import type { Opener } from "#shared/application/shop.ts";
import { type VariableName, readVariable } from "#shared/runtime/environment.ts";

type Variable<Name extends VariableName> = Opener<ReturnType<typeof readVariable<Name>>>;

const variable =
  <Name extends VariableName>(name: Name): Variable<Name> =>
  (environment) =>
    readVariable(environment, name);

export const appName = variable("APP_NAME");
export const apiBaseUrl = variable("API_BASE_URL");
export const mediaBaseUrl = variable("MEDIA_BASE_URL");
export const publicFilesUrl = variable("MEDIA_BASE_URL");
export const mailFrom = variable("MAIL_FROM");
export const isDocsOpen: Opener<boolean> = (environment) =>
  readVariable(environment, "DOCS") === "open";
