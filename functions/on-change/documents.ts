import type { SQSEvent } from "aws-lambda";
import {
  makeConfirmation,
  makeOrderDocuments,
} from "#shared/application/document/make-order-documents.ts";
import { makeQuoteDocuments } from "#shared/application/document/make-quote-documents.ts";
import { type DocumentChange, DocumentChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "./work-through.ts";

type DrawingShop = Parameters<typeof makeOrderDocuments>[1];

const make: Record<DocumentChange["kind"], (id: string, shop: DrawingShop) => Promise<void>> = {
  order: makeOrderDocuments,
  order_confirmation: makeConfirmation,
  quote: makeQuoteDocuments,
};

/**
 * Issues credit notes and vouchers, and makes the PDFs of orders and quotes, each once. Safe to repeat, to run late and to run
 * concurrently.
 */
export const onChangeDocuments = ({ Records }: SQSEvent, shop: DrawingShop) =>
  workThrough(
    Records,
    DocumentChanges,
    async (changes) => {
      for (const { kind, id } of changes) await make[kind](id, shop);
    },
    shop.log,
  );
