import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { isLoopback } from "#shared/runtime/aws-client.ts";
import { openStaff } from "#shared/storage/staff/staff.ts";
import { openTable } from "#shared/storage/table.ts";
import { demoLogins } from "./demo/data/staff.ts";
import type { Stack, StackEnvironment, StackOptions } from "./stack.ts";

/** What `npm start` prints when the stack is ready: at most 24 lines of 100 columns. */
export async function startScreen(
  { baseUrl, environment }: Pick<Stack, "baseUrl" | "environment">,
  { dataDir, bundles }: Pick<StackOptions, "dataDir" | "bundles">,
): Promise<string[]> {
  const api = baseUrl + apiPrefix;
  const { SES_ENDPOINT, STRIPE_API_URL, WHATSAPP_API_URL } = environment;
  return [
    `Ready in ${process.uptime().toFixed(1)} s.`,
    "",
    `  Shop       ${baseUrl}/`,
    `  API        ${api}`,
    `  Explorer   ${baseUrl}/docs/api`,
    `  Mails      ${SES_ENDPOINT}`,
    `  Stripe     ${STRIPE_API_URL}  (emulator: no money moves)`,
    `  WhatsApp   ${WHATSAPP_API_URL}  (emulator: nothing leaves this machine)`,
    ...(await ownerLogin(environment)),
    ...(bundles === undefined ? [] : [`  Functions  the bundles in ${bundles}`]),
    "",
    "For the commands in the documentation, paste:",
    "",
    `  API=${api} INBOX=${SES_ENDPOINT}`,
    `  STRIPE=${STRIPE_API_URL} WHATSAPP=${WHATSAPP_API_URL}`,
    "",
    "In another terminal, `npm run try` walks through the shop and prints each call as a command.",
    "infra/local/README.md says what else there is to try.",
    dataDir
      ? `Data is kept in ${dataDir}. Ctrl-C stops the shop.`
      : "Ctrl-C stops the shop and deletes its data. Set DATA_DIR to keep the data.",
  ];
}

/** A line with the demo owner's login; none if the demo shop's staff do not exist. */
async function ownerLogin(environment: StackEnvironment): Promise<string[]> {
  const { TABLE_NAME: name, DYNAMODB_ENDPOINT: endpoint } = environment;
  const owner = demoLogins.find(({ role }) => role === "owner");
  if (!owner || !isLoopback(endpoint)) return [];
  const staff = openStaff(openTable({ name, endpoint }));
  const exists = await staff.findByEmail(owner.email);
  return exists
    ? [`  Owner      ${owner.email}, password ${owner.password}, at POST /admin/auth/login`]
    : [];
}
