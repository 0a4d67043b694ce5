import { afterEach, describe, expect, test } from "vitest";
import { type MailServer, startMail } from "#infra/local/emulators/mail.ts";
import { type Mail, MailRefused, openMailer } from "#shared/mail/mailer.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { startFailingMailServer } from "#test/support/emulators/failing-servers.ts";
import { allMails } from "#test/support/emulators/inbox.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const from = "no-reply@shop.example.com";

function aMail(overrides: Partial<Mail> = {}): Mail {
  return {
    to: "asha@example.com",
    shop: "Teak & Thread",
    reply_to: "care@example.com",
    subject: "Grüße, आशा",
    html: "<p>Hello</p>",
    text: "Hello",
    dedupe: "order_placed#ord_1",
    ...overrides,
  };
}

async function failing(status: number, error: string) {
  const server = await startFailingMailServer(status, error);
  stops.push(server.stop);
  return server;
}

const failureOf = (endpoint: string) =>
  openMailer({ from, endpoint })
    .send(aMail())
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe("the mailer", () => {
  test("names the configuration set, so that bounces and complaints are reported", async () => {
    const server = await failing(400, "BadRequestException");
    const mailer = openMailer({ from, configurationSet: "shop-mails", endpoint: server.endpoint });
    await expect(mailer.send(aMail())).rejects.toThrow(MailRefused);
    expect(server.bodies).toEqual([expect.stringContaining('"ConfigurationSetName":"shop-mails"')]);
  });

  test("sends both HTML and text, with the shop's name and Reply-To", async () => {
    const server: MailServer = await startMail();
    stops.push(server.stop);
    const to = "both-forms@example.com";
    await openMailer({ from, endpoint: server.endpoint }).send(aMail({ to }));
    expect(await allMails(server.endpoint)).toEqual([
      expect.objectContaining({
        from: `"Teak & Thread" <${from}>`,
        replyTo: ["care@example.com"],
        subject: "Grüße, आशा",
        body: { html: "<p>Hello</p>", text: "Hello" },
        headers: expect.arrayContaining([{ name: "X-Entity-Ref-ID", value: "order_placed#ord_1" }]),
      }),
    ]);
  });

  test("reports an invalid mail as refused, without a retry", async () => {
    const { endpoint, requests } = await failing(400, "BadRequestException");
    expect(await failureOf(endpoint)).toBeInstanceOf(MailRefused);
    expect(requests()).toBe(1);
  });

  test.each([
    [429, "TooManyRequestsException"],
    [500, "InternalServiceErrorException"],
    [400, "MessageRejected"],
    [400, "SendingPausedException"],
    [403, "AccessDeniedException"],
  ])("reports a mail as postponed if SES returns %i %s", async (status, error) => {
    const { endpoint } = await failing(status, error);
    const failure = await failureOf(endpoint);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MailRefused);
  });

  test("reports a mail as postponed if SES does not respond", async () => {
    const server = await startMail();
    server.fail();
    const failure = await failureOf(server.endpoint);
    await server.stop();
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MailRefused);
  });

  test("sends no mail if no sender address is configured", async () => {
    const mailer = openMailer({ from: undefined, endpoint: "http://127.0.0.1:1" });
    await expect(mailer.send(aMail())).rejects.toThrow(Unavailable);
  });
});
