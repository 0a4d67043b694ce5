import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Data } from "../back-office/catalog.ts";
import { type Inbox, inboxOf } from "../emulators/inbox.ts";
import type { CallInput } from "./interface-calls.ts";
import { worldOf } from "../people/people.ts";
import { tableOf } from "../shop/plant.ts";
import { type StaffClient, staffClient } from "../people/staff-client.ts";

/**
 * Functions by method and path, without the API prefix. Each creates the records that the call needs, and returns the
 * call's input.
 */
export type Calls = Readonly<Record<string, () => CallInput | Promise<CallInput>>>;

/** The shop where example calls are prepared. */
export interface Shop {
  readonly baseUrl: string;
  readonly environment: StackEnvironment;
  readonly table: Table;
  readonly owner: StaffClient;
  readonly inbox: Inbox;
  /** Sends a POST as the owner and returns `data` of the response. */
  made<Value = { id: string }>(path: string, body?: object): Promise<Value>;
  /** The token of a mailed link of this kind to an address. */
  mailedToken(
    email: string,
    page: "reset-password" | "verify-email" | "newsletter/confirm" | "notify/confirm",
  ): Promise<string>;
}

export async function openShop(baseUrl: string, environment: StackEnvironment): Promise<Shop> {
  const owner = await staffClient(baseUrl, worldOf(environment), "owner");
  const inbox = inboxOf(environment.SES_ENDPOINT);
  return {
    baseUrl,
    environment,
    table: tableOf(environment),
    owner,
    inbox,
    async made<Value>(path: string, body?: object) {
      const reply = await owner.post<Data<Value>>(path, body);
      if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
      return reply.body.data;
    },
    async mailedToken(email, page) {
      const link = new RegExp(`/${page}\\?token=([\\w-]{43})`);
      const { body } = await inbox.waitFor(email, (mail) => link.test(mail.body.text));
      return link.exec(body.text)?.[1] ?? "";
    },
  };
}
