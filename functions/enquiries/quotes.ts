import { EnquiryReceipt } from "#shared/domain/enquiry/enquiry-view.ts";
import { enquiryReference } from "#shared/domain/enquiry/enquiry.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { QuoteItem } from "#shared/domain/enquiry/quote-item.ts";
import { QuoteInput, newQuote } from "#shared/domain/enquiry/quote-input.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import type { IdempotencyId } from "#shared/storage/idempotency.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { quoteLines } from "#shared/application/enquiry/quote-lines.ts";
import { Quotes, addQuote } from "#shared/storage/enquiry/quotes.ts";
import { holdUpload } from "#shared/storage/enquiry/upload-holds.ts";
import type { Deps } from "./deps.ts";
import { type Form, isTrapped, readTwin, submitOnce, twinOf } from "./submit-once.ts";

export const createQuote = route({
  method: "POST",
  path: "/quotes",
  summary: "Request a quote",
  description:
    "A quote is for catalog items, in any quantity or configuration, or for custom items. The shop " +
    "answers with a mailed link. Sending the same content again within ten minutes returns " +
    "the first quote's reference.",
  access: anyone,
  limit: "quotes",
  idempotent: true,
  request: {
    body: QuoteInput.meta({
      example: {
        name: "Asha Rao",
        email: "asha@example.com",
        message: "For a café of twenty seats.",
        postal_code: "560001",
        items: [
          { product: "kaveri-lounge-chair", quantity: 20 },
          {
            custom: { title: "Bench along the window", dimensions: { width_mm: 4200 } },
            quantity: 1,
          },
        ],
        consent: true,
      },
    }),
  },
  response: { status: 201, data: EnquiryReceipt },
  // A request that repeats an earlier one returns 404 if the quote has been erased since.
  errors: ["not_found"],
  first: async ({ body }, deps: Deps) => readTwin(await twinOf("quote", body, deps), deps),
  async handle(call, deps) {
    const { body, now } = call;
    const id = newId("qte", now);
    if (isTrapped(body)) {
      const reference = enquiryReference("Q", deps.randomBytes(8));
      const headers = locationHeaders(`/admin/quotes/${id}`, false);
      return { data: { id, reference, status: "submitted" }, headers };
    }
    const requested = body.items.map((item, index) => ({ ...item, path: `items.${index}` }));
    const { store } = await deps.settings.current();
    const sale = { now, currency: store.currency };
    const { items, problems } = await quoteLines(deps.table, requested, sale);
    if (problems.length > 0) throw invalidFields(problems);
    const twin = await twinOf("quote", body, deps);
    const context = { id, twin, currency: store.currency, now };
    const form = formOf({ ...body, items }, context, deps);
    const { record, replayed } = await submitOnce(call, deps, form);
    return { data: record, headers: locationHeaders(`/admin/quotes/${record.id}`, replayed) };
  },
});

function formOf(
  input: Omit<QuoteInput, "items"> & { items: QuoteItem[] },
  context: { id: string; twin: IdempotencyId; currency: string; now: Date },
  { table }: Pick<Deps, "table">,
): Form<StoredQuote> {
  const { id, twin, now } = context;
  const holds = input.upload_ids.map((upload, position) => ({
    write: holdUpload(upload, now),
    refused: () =>
      invalidField(`upload_ids.${position}`, "The picture does not exist or is not ready yet."),
  }));
  return {
    kind: "quote",
    id,
    twin,
    make(reference) {
      const quote = newQuote(input, { ...context, reference });
      const event = { quote_id: id, revision: 0 };
      return {
        record: quote,
        writes: [
          ...addQuote(quote),
          ...holds,
          publishEvent({ type: "quote_received", ...event }, now),
          ...(quote.email === null
            ? []
            : [publishEvent({ type: "quote_acknowledged", ...event }, now)]),
        ],
      };
    },
    find: (of) => table.get(Quotes, { id: of }),
  };
}

export const routes = [createQuote];
