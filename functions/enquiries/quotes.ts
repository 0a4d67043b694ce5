import type { Shop } from "#shared/application/shop.ts";
import { createQuote } from "#shared/application/enquiry/create-quote.ts";
import { isTrapped, readTwin, twinOf } from "#shared/application/enquiry/submit-enquiry.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { EnquiryReceipt, enquiryReference } from "#shared/domain/enquiry/enquiry.ts";
import { QuoteInput } from "#shared/domain/enquiry/quote-input.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { anyone, route } from "#shared/http/route.ts";

export const requestQuote = route({
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
  first: async ({ body }, shop: Shop<"table" | "randomBytes" | "rates" | "settings", "store">) =>
    readTwin(await twinOf("quote", body, shop), shop),
  async handle(call, shop) {
    const { body, now } = call;
    const id = newId("qte", now);
    if (isTrapped(body)) {
      const reference = enquiryReference("Q", shop.randomBytes(8));
      const headers = locationHeaders(`/admin/quotes/${id}`, false);
      return { data: { id, reference, status: "submitted" }, headers };
    }
    const { record, headers } = await createQuote(call, id, shop);
    return { data: record, headers };
  },
});

export const routes = [requestQuote];
