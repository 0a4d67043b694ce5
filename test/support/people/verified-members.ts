import type { Inbox } from "../emulators/inbox.ts";
import { type Member, aMember } from "./members.ts";

const link = /\/verify-email\?token=([\w-]{43})/;

/** A customer with a verified email. */
export async function aVerifiedMember(
  { baseUrl, inbox }: { baseUrl: string; inbox: Inbox },
  overrides: Record<string, unknown> = {},
): Promise<Member> {
  const member = await aMember(baseUrl, overrides);
  const mail = await inbox.waitFor(member.email, ({ body }) => link.test(body.text));
  const token = link.exec(mail.body.text)?.[1];
  const { status, text } = await member.client.post(
    "/auth/verify-email",
    { token },
    member.headers,
  );
  if (status !== 200) throw new Error(text);
  return member;
}

/**
 * The customer deletes the account.
 *
 * @returns the response's status
 */
export async function deleteAccount(
  { client, headers }: Member,
  password: string,
): Promise<number> {
  const reply = await client.send("DELETE", "/api/v1/account", {
    body: JSON.stringify({ password }),
    headers: { ...headers, "content-type": "application/json" },
  });
  return reply.status;
}
