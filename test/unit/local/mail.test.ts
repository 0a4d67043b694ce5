import { afterEach, describe, expect, test } from "vitest";
import { type MailServer, startMail } from "#infra/local/emulators/mail.ts";
import { openMailer } from "#shared/mail/mailer.ts";
import { allMails } from "#test/support/emulators/inbox.ts";

const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(): Promise<MailServer> {
  const server = await startMail();
  servers.push(server);
  return server;
}

const sendTo = ({ endpoint }: MailServer, to: string) =>
  openMailer({ from: "no-reply@shop.example.com", endpoint }).send({
    to,
    shop: "Teak & Thread",
    reply_to: "care@example.com",
    subject: "Hello",
    html: "<p>Hello</p>",
    text: "Hello",
    dedupe: to,
  });

const recipients = async ({ endpoint }: MailServer) =>
  (await allMails(endpoint)).flatMap(({ destination }) => destination.to);

describe("the local mail server", () => {
  test("keeps its mails separate from other mail servers of the process", async () => {
    const [first, second] = [await start(), await start()];
    await sendTo(first, "first@example.com");
    await sendTo(second, "second@example.com");
    expect(await recipients(first)).toEqual(["first@example.com"]);
    expect(await recipients(second)).toEqual(["second@example.com"]);
    expect(await recipients(await start())).toEqual([]);
  });

  test("refuses mails while it fails, and keeps the earlier ones", async () => {
    const server = await start();
    await sendTo(server, "before@example.com");
    server.fail();
    await expect(sendTo(server, "meanwhile@example.com")).rejects.toThrow();
    server.recover();
    await sendTo(server, "after@example.com");
    expect(await recipients(server)).toEqual(["before@example.com", "after@example.com"]);
  });
});
