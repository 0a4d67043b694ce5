import { isDeepStrictEqual } from "node:util";
import type { Message } from "#shared/domain/inbox/message.ts";
import { countedQuantity } from "#shared/domain/catalog/availability.ts";
import { type Stock, isLow, stockState } from "#shared/domain/catalog/stock.ts";
import { Messages } from "#shared/storage/inbox/inbox.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import type { ItemChange } from "#shared/storage/stream.ts";
import type { CatalogChange } from "../catalog-change.ts";
import { InboxFile } from "../inbox-file.ts";
import { MessageToSend } from "../message-to-send.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import type { StaffChange } from "../staff-change.ts";

/** What of the catalog view a changed item touches: nothing, mostly. */
export function catalogChange({ pk, before, after }: ItemChange): CatalogChange | undefined {
  const [area, kind, name] = pk.split("#");
  if (area === "LIVE") {
    if (kind === "categories" || kind === "sofa-landing") return { kind };
    if (kind === "material") return { kind, code: name ?? "" };
    if (kind === "product" || kind === "sofa") return { kind, slug: name ?? "" };
  }
  if (area === "STOCK") return stockChange(before as Stock | undefined, after as Stock | undefined);
  return undefined;
}

/** What of staff's view a changed item touches. */
export function staffChange({ pk, before, after }: ItemChange): StaffChange | undefined {
  const [area, name = ""] = pk.split("#");
  switch (area) {
    case "PRODUCT":
      return { kind: "product", id: name };
    case "SOFA":
      return { kind: "sofa", id: name };
    case "MATERIAL":
      return { kind: "material", id: name };
    case "STOCK": {
      // How many units there are is read with the list: whether they are few, and whose they are, is not.
      const shown = (row: Stock | undefined) => row && [isLow(row), row.owner];
      const same = isDeepStrictEqual(
        shown(before as Stock | undefined),
        shown(after as Stock | undefined),
      );
      return same ? undefined : { kind: "stock", sku: name };
    }
    default:
      return undefined;
  }
}

/** An event that the outbox has been given. What becomes of it there later is no news. */
export function outboxMessage({ before, after }: ItemChange): OutboxMessage | undefined {
  const isNews = before === undefined && after?.["entity"] === Outbox.name;
  return isNews ? { id: String(after["id"]) } : undefined;
}

/** A message that staff have written. What becomes of it later is no news, and what customers write is not sent. */
export function messageToSend({ before, after }: ItemChange): MessageToSend | undefined {
  const isNews = before === undefined && after?.["entity"] === Messages.name;
  return isNews && after["state"] === "queued" ? MessageToSend.parse(after) : undefined;
}

/** A file that a customer has just sent, or that is to be removed. */
export function inboxFile({ before, after }: ItemChange): InboxFile | undefined {
  const item = after ?? before;
  if (item?.["entity"] !== Messages.name || item["direction"] !== "inbound") return undefined;
  const [was, is] = [statusOfFile(before), statusOfFile(after)];
  const isNew = before === undefined && is === "pending";
  const isGone = was !== undefined && was !== "removed" && (is ?? "removed") === "removed";
  return isNew || isGone ? InboxFile.parse(item) : undefined;
}

const statusOfFile = (message: ItemChange["after"]) =>
  (message as Partial<Message> | undefined)?.media?.status;

/** Cards show a state, and how many units are left while there are few: only a change of either matters. */
function stockChange(
  before: Stock | undefined,
  after: Stock | undefined,
): CatalogChange | undefined {
  const owner = (after ?? before)?.owner;
  if (owner?.kind !== "product") return undefined;
  const state = (row: Stock | undefined) => row && stockState(row);
  const isSame =
    state(before) === state(after) && countedQuantity(before) === countedQuantity(after);
  return isSame ? undefined : { kind: "product", slug: owner.slug };
}
