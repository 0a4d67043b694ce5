import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerExport } from "#shared/domain/export/customer-export.ts";
import type { PublicCustomer } from "#shared/domain/customer/customer.ts";
import type { PhoneProofCode } from "#shared/domain/customer/phone-proof.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import {
  type WhatsAppDesk,
  aMessage,
  aNumber,
  aPayload,
  openWhatsAppDesk,
} from "#test/support/back-office/whatsapp.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import type { Data } from "#test/support/shop/shopping.ts";

let desk: WhatsAppDesk;
let manager: StaffClient;
beforeAll(async () => {
  desk = await openWhatsAppDesk();
  const { store } = await readSettings(desk.table, ["store"]);
  const contact = { ...store.contact, whatsapp: "080 4900 1122" };
  await desk.table.write(putSettings("store", { ...store, contact }, 2));
  manager = await desk.staff("manager");
});
afterAll(() => desk.stack.stop());

const whose = (phone: string | undefined) => aMember(desk.stack.baseUrl, { phone });
const askForCode = ({ client, headers }: Member) =>
  client.post<Data<PhoneProofCode> & Problem>("/account/phone/proof", {}, headers);
const codeOf = async (member: Member) => (await askForCode(member)).body.data.code;

/** Delivers a text from a number. */
const write = (number: string, body: string, overrides: object = {}) =>
  desk.deliver(aPayload({ messages: [aMessage(number, { text: { body }, ...overrides })] }));

async function isVerified({ client, headers }: Member): Promise<boolean> {
  const { body } = await client.get<Data<PublicCustomer>>("/auth/me", headers);
  return body.data.phone_verified_at !== null;
}

/** The texts of the conversation in a customer's export. */
async function exportedTexts({ id }: Member): Promise<unknown[]> {
  const { body } = await manager.get<Data<CustomerExport>>(`/admin/customers/${id}/export`);
  return body.data.records.flatMap(({ record, data }) =>
    record === "message" ? [(data as { text: string }).text] : [],
  );
}

describe("a code for the profile's phone", () => {
  test("proves the phone when it comes from it, and the export then has the conversation", async () => {
    const number = aNumber();
    const member = await whose(`+${number}`);
    const { status, body } = await askForCode(member);
    expect([status, body.data]).toEqual([
      200,
      {
        code: expect.stringMatching(/^\d{8}$/),
        expires_at: expect.any(String),
        whatsapp_url: expect.stringMatching(/^https:\/\/wa\.me\/918049001122\?text=/),
      },
    ]);
    expect(await isVerified(member)).toBe(false);
    await write(number, `My code is ${body.data.code}`);
    expect(await isVerified(member)).toBe(true);
    expect(await exportedTexts(member)).toEqual([`My code is ${body.data.code}`]);
  });

  test("proves nothing when it comes from another phone, and a stranger's conversation stays out of the export", async () => {
    const [victim, attacker] = [aNumber(), aNumber()];
    await write(victim, "Please deliver after six.");
    const member = await whose(`+${victim}`);
    await write(attacker, await codeOf(member));
    expect(await isVerified(member)).toBe(false);
    expect(await exportedTexts(member)).toEqual([]);
  });

  test("ends after five wrong codes from the phone, and a new one works", async () => {
    const number = aNumber();
    const member = await whose(`+${number}`);
    const code = await codeOf(member);
    const wrong = String((Number(code) + 1) % 1e8).padStart(8, "0");
    for (let tries = 0; tries < 5; tries++) await write(number, wrong);
    await write(number, code);
    expect(await isVerified(member)).toBe(false);
    await write(number, await codeOf(member));
    expect(await isVerified(member)).toBe(true);
  });

  test("counts a message once, even if it is delivered five times", async () => {
    const number = aNumber();
    const member = await whose(`+${number}`);
    const code = await codeOf(member);
    const wrong = { id: `wamid.${number}` };
    for (let times = 0; times < 5; times++) await write(number, "12345678", wrong);
    await write(number, code);
    expect(await isVerified(member)).toBe(true);
  });

  test("ends when the phone changes, and so does the proof", async () => {
    const [first, second] = [aNumber(), aNumber()];
    const member = await whose(`+${first}`);
    const change = (phone: string | null) =>
      member.client.put("/account/profile", { name: "Ravi Iyer", phone }, member.headers);
    const early = await codeOf(member);
    await change(`+${second}`);
    await write(first, early);
    expect(await isVerified(member)).toBe(false);
    await write(second, await codeOf(member));
    expect(await isVerified(member)).toBe(true);
    await change(`+${first}`);
    expect(await isVerified(member)).toBe(false);
    await change(null);
    const { status, body } = await askForCode(member);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["phone"]]);
  });

  test("is limited per account", async () => {
    const member = await whose(`+${aNumber()}`);
    for (let calls = 0; calls < 5; calls++) expect((await askForCode(member)).status).toBe(200);
    expect((await askForCode(member)).status).toBe(429);
  });
});

describe("staff who confirm a phone in a call", () => {
  const confirm = (staff: StaffClient, { id }: Member) =>
    staff.post<Data<PublicCustomer> & Problem>(`/admin/customers/${id}/phone/confirm`, {});

  test("prove it, and the activity log records it once", async () => {
    const member = await whose(`+${aNumber()}`);
    const first = await confirm(manager, member);
    expect([first.status, first.body.data.phone_verified_at]).toEqual([200, expect.any(String)]);
    const again = await confirm(manager, member);
    expect(again.body.data).toEqual(first.body.data);
    const owner = await desk.staff("owner");
    const { body } = await owner.get<Data<unknown>>(`/admin/activity?target=customer:${member.id}`);
    expect(body.data).toMatchObject([
      {
        action: "customer.confirm_phone",
        changes: [{ path: "phone_verified_at", from: null, to: first.body.data.phone_verified_at }],
      },
    ]);
  });

  test("end the proof when they change the phone", async () => {
    const member = await whose(`+${aNumber()}`);
    await confirm(manager, member);
    await manager.patch(`/admin/customers/${member.id}`, { phone: `+${aNumber()}` });
    expect(await isVerified(member)).toBe(false);
  });

  test("need a customer with a phone", async () => {
    const member = await whose(undefined);
    const { status, body } = await confirm(manager, member);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["phone"]]);
  });
});
