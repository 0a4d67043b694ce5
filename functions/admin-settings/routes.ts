import { getChecklist } from "./checklist.ts";
import { testEmail } from "./email-test.ts";
import { getSettings, listSettings, replaceSettings } from "./settings.ts";

export const routes = [listSettings, getChecklist, testEmail, getSettings, replaceSettings];
