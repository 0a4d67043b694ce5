import type { Shop } from "#shared/application/shop.ts";
import { readLinkToken } from "../../auth/link-tokens.ts";
import { AppError } from "../../domain/request/app-error.ts";
import type { DocumentChange } from "../../queues/queue-messages.ts";
import { Documents } from "../../storage/document/documents.ts";
import { Orders } from "../../storage/order/orders.ts";
import { projection } from "../../storage/entity.ts";
import { isOfErased } from "./due-documents.ts";

const Confirmed = projection(Orders, ["id", "number", "customer", "access_token_hash"]);

/**
 * Opens the confirmation of the order that a link's token names.
 *
 * @returns the link to the file; null if the file has yet to be drawn, which is requested
 * @throws AppError `not_found` when the token is invalid or has expired, or the order's account was erased
 */
export async function openConfirmation(
  token: string,
  {
    table,
    linkKeys,
    documentLinks,
    documentsQueue: documents,
  }: Shop<"table" | "documentLinks" | "documentsQueue" | "linkKeys">,
  now: Date,
): Promise<string | null> {
  const link = await readLinkToken(token, "confirmation", linkKeys, now);
  const order = link && (await table.get(Confirmed, { id: link.subject }));
  if (!order || isOfErased(order)) throw linkOver();
  const { id: owner_id, number } = order;
  const made = await table.get(Documents, { owner_id, type: "order_confirmation", number });
  if (!made) {
    await documents.send([
      { changes: [{ kind: "order_confirmation", id: owner_id } satisfies DocumentChange] },
    ]);
    return null;
  }
  const [document] = await documentLinks([made], now);
  if (!document) throw linkOver();
  return document.url;
}

const linkOver = () =>
  new AppError("not_found", {
    message: "This link is invalid or has expired. Please open the order's documents again.",
  });
