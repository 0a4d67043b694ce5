import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { DocumentChanges, type DocumentChange } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";
import {
  makeConfirmation,
  makeOrderDocuments,
} from "../../../shared/application/document/make-order-documents.ts";
import { makeQuoteDocuments } from "../../../shared/application/document/make-quote-documents.ts";

/**
 * Issues credit notes and vouchers, and makes the PDFs of orders and quotes, each once. Safe to repeat, to run late and to run
 * concurrently.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, DocumentChanges, (changes) => follow(changes, deps), deps.log);
}

const make: Record<DocumentChange["kind"], (id: string, deps: Deps) => Promise<void>> = {
  order: makeOrderDocuments,
  order_confirmation: makeConfirmation,
  quote: makeQuoteDocuments,
};

async function follow(changes: readonly DocumentChange[], deps: Deps): Promise<void> {
  for (const { kind, id } of changes) {
    await make[kind](id, deps);
  }
}
