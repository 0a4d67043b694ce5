import type { ListSource } from "#functions/list-route.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { Conversation, ConversationStatus } from "#shared/domain/inbox/conversation.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { Phone } from "#shared/domain/base/text.ts";
import { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import { Conversations, inboxList, openInbox } from "#shared/storage/inbox/inbox.ts";
import type { KeyRange } from "#shared/storage/pages.ts";

interface Wanted {
  readonly status: ConversationStatus | undefined;
  /** Id of a staff user, or `none`. */
  readonly assignee: string | undefined;
  readonly q: string | undefined;
}

/** How many conversations are read for each one of a filtered page. */
const readPerConversation = 8;

/** Matching conversations, newest first. A whole phone number is looked up directly. */
export function findConversations(
  { table, settings }: Shop<"table" | "settings", "store">,
  wanted: Wanted,
): ListSource<Conversation> {
  const range: KeyRange = {
    index: wanted.status === undefined ? "gsi2" : "gsi1",
    partition: inboxList(wanted.status),
    newestFirst: true,
  };
  return {
    range,
    async page(at) {
      const byNumber = at.after ? undefined : await ofNumber(wanted.q, { table, settings });
      if (byNumber) {
        const isWanted = filterOf({ ...wanted, q: undefined });
        return { records: [byNumber].filter(isWanted), next: undefined };
      }
      const most = readPerConversation * at.limit;
      return table.page(Conversations, range, { ...at, matches: filterOf(wanted), most });
    },
  };
}

async function ofNumber(
  q: string | undefined,
  { table, settings }: Shop<"table" | "settings", "store">,
): Promise<Conversation | undefined> {
  const phone = Phone.safeParse(q);
  if (!phone.success) return undefined;
  const { country } = (await settings.current()).store;
  const number = WhatsAppNumber.safeParse(internationalPhone(phone.data, country));
  return number.success ? await openInbox(table).readNumber(number.data) : undefined;
}

function filterOf({ status, assignee, q }: Wanted): (conversation: Conversation) => boolean {
  const text = q === undefined ? undefined : normalizeText(q);
  const digits = q !== undefined && /^[\d\s().+-]+$/.test(q) ? q.replaceAll(/\D/g, "") : "";
  return (conversation) =>
    (status ?? conversation.status) === conversation.status &&
    (assignee === undefined || (conversation.assignee_id ?? "none") === assignee) &&
    (text === undefined ||
      normalizeText(conversation.name ?? "").includes(text) ||
      conversation.user_id === q ||
      (digits !== "" && (conversation.phone ?? "").includes(digits)));
}
