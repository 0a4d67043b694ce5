import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { DocumentChanges, type DocumentChange } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";
import {
  makeConfirmation,
  makeOrderDocuments,
} from "#shared/application/document/make-order-documents.ts";
import { makeQuoteDocuments } from "#shared/application/document/make-quote-documents.ts";

type DrawingShop = Parameters<typeof makeOrderDocuments>[1];

/**
 * Issues credit notes and vouchers, and makes the PDFs of orders and quotes, each once. Safe to repeat, to run late and to run
 * concurrently.
 */
export async function consume({ Records }: SQSEvent, shop: DrawingShop): Promise<SQSBatchResponse> {
  return workThrough(Records, DocumentChanges, (changes) => follow(changes, shop), shop.log);
}

const make: Record<DocumentChange["kind"], (id: string, shop: DrawingShop) => Promise<void>> = {
  order: makeOrderDocuments,
  order_confirmation: makeConfirmation,
  quote: makeQuoteDocuments,
};

async function follow(changes: readonly DocumentChange[], shop: DrawingShop): Promise<void> {
  for (const { kind, id } of changes) {
    await make[kind](id, shop);
  }
}
