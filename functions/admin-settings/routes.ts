import { getChecklist } from "./checklist.ts";
import { testEmail } from "./email-test.ts";
import { testMessaging } from "./messaging-test.ts";
import { getSettings, listSettings, replaceSettings } from "./settings.ts";

export const routes = [
  listSettings,
  getChecklist,
  testEmail,
  testMessaging,
  getSettings,
  replaceSettings,
];
