import type { Conversation, ConversationStatus } from "#shared/domain/conversation.ts";
import { whatsAppNumber } from "#shared/domain/whatsapp-number.ts";
import { Conversations, inboxList, openInbox } from "#shared/storage/inbox.ts";
import type { Table } from "#shared/storage/table.ts";

interface Wanted {
  readonly status: ConversationStatus | undefined;
  /** Id of a staff user, or `none`. */
  readonly assignee: string | undefined;
  readonly q: string | undefined;
}

interface Page {
  readonly limit: number;
  readonly after: Record<string, unknown> | undefined;
}

interface FoundPage {
  readonly records: Conversation[];
  readonly next: Record<string, unknown> | undefined;
}

/** How often the list is read on for one page of what was asked for. */
const mostReads = 8;

/** A page of the conversations that are wanted, the newest first. A whole phone number is looked up by itself. */
export async function findConversations(
  table: Table,
  wanted: Wanted,
  { limit, after }: Page,
): Promise<FoundPage> {
  const isWanted = filterOf(wanted);
  const byNumber = after ? undefined : await ofNumber(table, wanted.q);
  if (byNumber) return { records: [byNumber].filter(isWanted), next: undefined };

  const records: Conversation[] = [];
  let next = after;
  for (let reads = 0; reads < mostReads; reads++) {
    const page = await table.query(Conversations, {
      index: wanted.status === undefined ? "gsi2" : "gsi1",
      partition: inboxList(wanted.status),
      newestFirst: true,
      limit: limit - records.length,
      after: next,
    });
    records.push(...page.records.filter(isWanted));
    next = page.next;
    if (!next || records.length >= limit) break;
  }
  return { records, next };
}

async function ofNumber(table: Table, q: string | undefined): Promise<Conversation | undefined> {
  const phone = q === undefined ? undefined : whatsAppNumber(q);
  if (phone === undefined) return undefined;
  return (await openInbox(table).readNumber(phone, [])).conversation;
}

function filterOf({ status, assignee, q }: Wanted): (conversation: Conversation) => boolean {
  const text = q?.toLowerCase();
  const digits = q !== undefined && /^[\d\s().+-]+$/.test(q) ? q.replaceAll(/\D/g, "") : "";
  return (conversation) =>
    (status ?? conversation.status) === conversation.status &&
    (assignee === undefined || (conversation.assignee_id ?? "none") === assignee) &&
    (text === undefined ||
      (conversation.name ?? "").toLowerCase().includes(text) ||
      (digits !== "" && conversation.phone.includes(digits)));
}
