import type { Shop } from "#shared/application/shop.ts";
import { createLead } from "#shared/application/enquiry/create-lead.ts";
import { isTrapped, readTwin, twinOf } from "#shared/application/enquiry/submit-enquiry.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { EnquiryReceipt, enquiryReference } from "#shared/domain/enquiry/enquiry.ts";
import { LeadInput } from "#shared/domain/enquiry/lead.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { anyone, route } from "#shared/http/route.ts";

export const sendLead = route({
  method: "POST",
  path: "/leads",
  summary: "Send an enquiry",
  description:
    "Notifies the shop by mail, and the sender if `email` is present and got at most two such mails that day. Sending the same " +
    "content again within ten minutes returns the first lead's reference.",
  access: anyone,
  limit: "leads",
  idempotent: true,
  request: {
    body: LeadInput.meta({
      example: {
        type: "design_consultation",
        name: "Asha Rao",
        email: "asha@example.com",
        phone: "+919812345678",
        message: "We are furnishing a flat of three rooms.",
        postal_code: "560001",
        products: ["saanjh-sofa"],
        source: { page: "/sofas/saanjh-sofa", utm_source: "newsletter" },
        consent: true,
      },
    }),
  },
  response: { status: 201, data: EnquiryReceipt },
  // A request that repeats an earlier one returns 404 if the lead has been erased since.
  errors: ["not_found"],
  first: async ({ body }, shop: Shop<"table" | "randomBytes" | "rates" | "settings", "store">) =>
    readTwin(await twinOf("lead", body, shop), shop),
  async handle(call, shop) {
    const { body, now } = call;
    const id = newId("lead", now);
    if (isTrapped(body)) {
      const reference = enquiryReference("L", shop.randomBytes(8));
      const headers = locationHeaders(`/admin/leads/${id}`, false);
      return { data: { id, reference, status: "new" }, headers };
    }
    const { record, headers } = await createLead(call, id, shop);
    return { data: record, headers };
  },
});

export const routes = [sendLead];
