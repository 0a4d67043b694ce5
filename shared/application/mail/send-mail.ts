import { attach } from "#shared/application/document/carried-document.ts";
import { type OutboxEvent, expiresAt } from "#shared/domain/base/outbox-event.ts";
import type { MailBlock, MailBlockReason } from "#shared/domain/customer/mail-block.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { type Addressed, sentAs, withPictureUrls } from "#shared/mail/letter.ts";
import { MailRefused } from "#shared/mail/mailer.ts";
import { count } from "#shared/runtime/count.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { openEnquiries } from "#shared/storage/enquiry/enquiries.ts";
import { openMarketingRecords } from "#shared/storage/marketing/marketing-records.ts";
import { type OrderStore, newEntries, openOrders } from "#shared/storage/order/orders.ts";
import { type GivenUpReason, type OutboxRow, openOutbox } from "#shared/storage/outbox.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Shop } from "../shop.ts";
import { mayMailUnpaid } from "./letter-limits.ts";
import { type LetterSource, type MailSources, mails, ordersReadAlone } from "./letters.ts";

type MailGroup = "store" | "payments" | "shipping" | "tax" | "email" | "seo";
export type MailShop = Shop<
  | "table"
  | "apiBaseUrl"
  | "documentFiles"
  | "linkKeys"
  | "log"
  | "mailer"
  | "mediaBaseUrl"
  | "now"
  | "rates"
  | "settings",
  MailGroup
>;

/** The mail of a claimed row. Its letter and block are read together with those of other mails. */
export interface PreparedMail {
  readonly row: OutboxRow;
  /** Undefined if the event is stale. */
  readonly letter: Promise<Addressed | undefined>;
  /** Returns the block of the letter's address, once all letters are written; undefined if it is not blocked. */
  block(): Promise<MailBlock | undefined>;
}

/** Begins to write the mails of claimed rows: one request reads the orders of all, another one all blocks. */
export function prepareMails(rows: readonly OutboxRow[], shop: MailShop): PreparedMail[] {
  const sources = { ...sourcesOf(shop), orderAlone: ordersTogether(rows, shop) };
  const letters = rows.map((row) => compose(row, sources));
  const blocks = blocksOf(letters, shop);
  // A failure concerns the mails that await it later.
  blocks.catch(() => undefined);
  return letters.map((letter, position) => ({
    row: rows[position]!,
    letter,
    block: async () => (await blocks)[position],
  }));
}

/** Reads the orders of all rows when the first one is needed. */
function ordersTogether(
  rows: readonly OutboxRow[],
  { table }: Shop<"table">,
): MailSources["orderAlone"] {
  const ids = ordersReadAlone(rows.map(({ event }) => event));
  let reading: ReturnType<OrderStore["findManyAlone"]> | undefined;
  return async (id) => (await (reading ??= openOrders(table).findManyAlone(ids)))[ids.indexOf(id)];
}

/** The blocks of the letters' addresses, in the order of the letters. */
async function blocksOf(
  letters: readonly Promise<Addressed | undefined>[],
  { table }: Shop<"table">,
): Promise<(MailBlock | undefined)[]> {
  const written = await Promise.allSettled(letters);
  const addresses = written.map((letter) =>
    letter.status === "fulfilled" ? letter.value?.to : undefined,
  );
  const asked = addresses.filter((address) => address !== undefined);
  if (asked.length === 0) return [];
  const blocks = await findMailBlocks(table, asked);
  return addresses.map((address) =>
    address === undefined ? undefined : blocks[asked.indexOf(address)],
  );
}

/**
 * Sends a mail, and settles its row. A row that could not be sent is released.
 *
 * @throws DocumentPending while the mail waits for its PDF
 */
export async function sendMail(prepared: PreparedMail, shop: MailShop): Promise<void> {
  const { row } = prepared;
  const { log, now } = shop;
  const outbox = openOutbox(shop.table);
  const facts = { outbox_id: row.id, attempts: row.attempts };
  let letter: Addressed | undefined;
  let outcome: "sent" | GivenUpReason = "stale";
  let { counted } = row;
  try {
    letter = await prepared.letter;
    if (letter) {
      if (letter.copy) await outbox.publish(letter.copy, now());
      const refusal = await whyNot(letter, await prepared.block(), row, shop);
      counted = letter.unpaid_order !== undefined;
      if (refusal === undefined) await send(letter, row, shop);
      outcome = refusal ?? "sent";
    } else log.info("Mail skipped: event is stale", facts);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      await outbox.release({ ...row, counted });
      throw error;
    }
    outcome = "refused";
    log.error("Mail skipped: the mail server refused it", facts);
  }
  const entries = outcome === "withheld" && letter ? withheldEntry(letter, now()) : [];
  await outbox.settle(row, outcome, now(), entries);
  await (outcome === "sent" ? count("MailsSent") : count("MailsGivenUp", outcome));
}

interface Sources extends MailSources {
  /** The credit notes, vouchers and documents of an order, or the documents of a quote. */
  documents(ownerId: string): ReturnType<typeof documentsOf>;
  apiBaseUrl: string | undefined;
  now(): Date;
}

/** What letters are written from. */
const sourcesOf = ({
  table,
  ...shop
}: Shop<"table" | "apiBaseUrl" | "linkKeys" | "now" | "settings", MailGroup>) => ({
  ...shop,
  orders: openOrders(table),
  enquiries: openEnquiries(table),
  marketing: openMarketingRecords(table),
  documents: (ownerId: string) => documentsOf(table, ownerId),
});

/**
 * Returns the mail for an outbox event; undefined if the event is stale, such as after its link has expired.
 *
 * @throws DocumentPending while the mail waits for its PDF
 * @throws Unavailable when the API's address, which the unsubscribe link needs, is not configured
 */
export async function compose(
  { event, at: since }: Pick<OutboxRow, "event" | "at">,
  sources: Sources,
): Promise<Addressed | undefined> {
  const now = sources.now();
  const expires = expiresAt(event);
  if (expires !== null && Date.parse(expires) <= now.getTime()) return undefined;
  const settings = await sources.settings.current();
  // The entry is that of the event's own type; TypeScript cannot infer that for a union.
  const entry = mails[event.type] as LetterSource<OutboxEvent, object>;
  const loaded = await entry.loads(event, sources, settings);
  if (!loaded) return undefined;
  const facts = { ...loaded, event, settings, store: settings.store };
  const to = entry.isStale?.(facts) ? null : entry.to(facts);
  if (to === null) return undefined;
  const token = entry.unsubscribes?.(facts);
  const unsubscribe = token !== undefined && unsubscribing(token, sources.apiBaseUrl);
  const letter = entry.letter(facts);
  if (!letter) return undefined;
  const unpaid_order = entry.unpaidOrder?.(facts);
  const copy = entry.copy?.(facts);
  const carried = entry.document?.(facts);
  const reply_to = entry.replyTo?.(facts) ?? undefined;
  return {
    to,
    ...unsubscribe,
    ...(unpaid_order && { unpaid_order }),
    ...(copy && { copy }),
    ...(carried
      ? attach(carried, await sources.documents(carried.owner_id), letter, { since, now })
      : letter),
    ...sentAs(letter, settings.email),
    ...(reply_to !== undefined && { reply_to }),
  };
}

function unsubscribing(token: string, apiBaseUrl: string | undefined) {
  if (apiBaseUrl === undefined) throw new Unavailable("API_BASE_URL is not configured");
  return { unsubscribe_url: `${apiBaseUrl}${apiPrefix}/unsubscribe/${token}` };
}

/**
 * Why a mail may not be sent: its address is blocked, or is unproven and has got all the mails about unpaid orders that it
 * may get in a day. SES suspends shops that go on mailing addresses that bounce, or people who have reported spam.
 */
async function whyNot(
  { to, unpaid_order }: Addressed,
  block: MailBlock | undefined,
  { id, attempts, counted }: OutboxRow,
  shop: MailShop,
): Promise<"withheld" | MailBlockReason | undefined> {
  if (block) {
    shop.log.warn("Mail skipped: address is blocked", {
      outbox_id: id,
      attempts,
      reason: block.reason,
    });
    return block.reason;
  }
  if (!unpaid_order || counted || (await mayMailUnpaid(to, shop, shop.now()))) return undefined;
  shop.log.warn("Mail withheld: the unproven address has reached its daily limit", {
    outbox_id: id,
  });
  return "withheld";
}

async function send(
  { attachment = null, content: _content, unpaid_order: _order, ...letter }: Addressed,
  { id }: OutboxRow,
  { mailer, documentFiles, mediaBaseUrl }: MailShop,
): Promise<void> {
  const pdf = attachment && {
    filename: attachment.filename,
    bytes: await documentFiles.get(attachment.key),
  };
  const html = withPictureUrls(letter.html, mediaBaseUrl);
  await mailer.send({ ...letter, html, pdf, dedupe: id });
}

/** Tells staff, in the order's timeline, that a mail was not sent. */
function withheldEntry({ unpaid_order, subject }: Addressed, now: Date): Write[] {
  if (!unpaid_order) return [];
  const message =
    `The mail "${subject}" was not sent: its address, which nobody has proven, has got ` +
    `${limits.unpaid_order_letters.calls} mails about unpaid orders on that day.`;
  const entry = { at: now.toISOString(), type: "letter_withheld", message, public: false };
  return newEntries(unpaid_order, [entry]);
}
