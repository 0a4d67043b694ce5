import * as z from "zod";
import { awaits } from "../stack/effects.ts";
import { waitFor } from "../stack/wait-until.ts";

const StoredMail = z.object({
  messageId: z.string(),
  /** In whole seconds. */
  at: z.number(),
  from: z.string(),
  replyTo: z.array(z.string()),
  destination: z.object({ to: z.array(z.string()), bcc: z.array(z.string()).default([]) }),
  subject: z.string(),
  body: z.object({ html: z.string(), text: z.string() }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** `content` is in base64. */
  attachments: z
    .array(z.object({ filename: z.string(), contentType: z.string(), content: z.string() }))
    .default([]),
});
export type StoredMail = z.output<typeof StoredMail>;

const Store = z.object({ emails: z.array(StoredMail) });

export interface Inbox {
  /** Mails to an address, oldest first. */
  mailsTo(address: string): Promise<StoredMail[]>;
  /** Waits for a matching mail to an address, and returns the first one. */
  waitFor(address: string, isMeant?: (mail: StoredMail) => boolean): Promise<StoredMail>;
}

/** All mails of a mail server, oldest first. @param endpoint a stack's `SES_ENDPOINT` */
export async function allMails(endpoint: string, since = 0): Promise<StoredMail[]> {
  return Store.parse(await (await fetch(`${endpoint}/store?since=${since}`)).json()).emails;
}

/** Deletes all mails. */
export async function emptyInbox(endpoint: string): Promise<void> {
  await fetch(`${endpoint}/clear-store`, { method: "POST" });
}

/** The inbox of a stack. @param endpoint its `SES_ENDPOINT` */
export function inboxOf(endpoint: string): Inbox {
  /** The mails read so far, by time and id, so that each call only reads the newer ones. */
  const known = new Map<string, StoredMail>();
  const mailsTo: Inbox["mailsTo"] = async (address) => {
    awaits("mail");
    const since = Math.max(0, ([...known.values()].at(-1)?.at ?? 0) - 1);
    for (const mail of await allMails(endpoint, since)) {
      known.set(`${mail.at} ${mail.messageId}`, mail);
    }
    return [...known.values()].filter(({ destination }) => destination.to.includes(address));
  };
  return {
    mailsTo,
    waitFor: (address, isMeant = () => true) =>
      waitFor("mail", async () => {
        const mail = (await mailsTo(address)).find(isMeant);
        if (!mail) throw new Error(`No matching mail to ${address} has arrived`);
        return mail;
      }),
  };
}
