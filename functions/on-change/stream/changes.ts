import { isDeepStrictEqual } from "node:util";
import { countedQuantity } from "#shared/domain/catalog/availability.ts";
import { type Stock, isLow, stockState } from "#shared/domain/catalog/stock.ts";
import { Messages } from "#shared/storage/inbox/inbox.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { projection } from "#shared/storage/entity.ts";
import { type Image, type ItemChange, imageOf } from "#shared/storage/stream.ts";
import type { CatalogChange } from "../catalog-change.ts";
import { InboxFile } from "../inbox-file.ts";
import { MessageToSend } from "../message-to-send.ts";
import type { OutboxMessage } from "../outbox-message.ts";
import type { StaffChange } from "../staff-change.ts";

/**
 * Returns the message to the catalog index about a table change; undefined for most changes, which do not concern the
 * index.
 */
export function catalogChange({ pk, before, after }: ItemChange): CatalogChange | undefined {
  const [area, kind, name] = pk.split("#");
  if (area === "LIVE") {
    if (kind === "categories" || kind === "sofa-landing") return { kind };
    if (kind === "material") return { kind, code: name ?? "" };
    if (kind === "product" || kind === "sofa" || kind === "page" || kind === "story") {
      return { kind, slug: name ?? "" };
    }
  }
  if (area === "SETTINGS") {
    return (after ?? before)?.["group"] === "search" ? { kind: "search-settings" } : undefined;
  }
  if (area === "STOCK") return stockChange(imageOf(Stocks, before), imageOf(Stocks, after));
  return undefined;
}

/** Returns the message to the staff index about a table change; undefined if the change does not concern that index. */
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
      // Of a stock row, the read model shows only the owner and whether stock is low; lists read the unit count from
      // the table.
      const shown = (row: Stock | undefined) => row && [isLow(row), row.owner];
      const same = isDeepStrictEqual(shown(imageOf(Stocks, before)), shown(imageOf(Stocks, after)));
      return same ? undefined : { kind: "stock", sku: name };
    }
    default:
      return undefined;
  }
}

/** Returns the message about a new outbox event; undefined for other changes, such as later changes of its row. */
export function outboxMessage({ before, after }: ItemChange): OutboxMessage | undefined {
  const isNew = before === undefined && after?.["entity"] === Outbox.name;
  return isNew ? { id: String(after["id"]) } : undefined;
}

/**
 * Returns a WhatsApp message that staff have just written, so that it is sent; undefined for customers' messages and
 * for later changes.
 */
export function messageToSend({ before, after }: ItemChange): MessageToSend | undefined {
  const isNew = before === undefined && after?.["entity"] === Messages.name;
  return isNew && after["state"] === "queued" ? MessageToSend.parse(after) : undefined;
}

/** Returns the customer's message if its file is new or must be removed; otherwise undefined. */
export function inboxFile({ before, after }: ItemChange): InboxFile | undefined {
  const item = after ?? before;
  if (item?.["entity"] !== Messages.name || item["direction"] !== "inbound") return undefined;
  const [was, is] = [statusOfFile(before), statusOfFile(after)];
  const isNew = before === undefined && is === "pending";
  const isGone = was !== undefined && was !== "removed" && (is ?? "removed") === "removed";
  return isNew || isGone ? InboxFile.parse(item) : undefined;
}

const MessageFiles = projection(Messages, ["media"]);
const statusOfFile = (message: Image) => imageOf(MessageFiles, message)?.media?.status;

/**
 * Returns a change if the stock state has changed, or the number of units that cards show while stock is low. Cards
 * show nothing else of the stock.
 */
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
