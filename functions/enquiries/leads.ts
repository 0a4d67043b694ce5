import { EnquiryReceipt } from "#shared/domain/enquiry/enquiry-view.ts";
import { enquiryReference } from "#shared/domain/enquiry/enquiry.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { LeadInput, newLead } from "#shared/domain/enquiry/lead.ts";
import { anyone, route } from "#shared/http/route.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { Cards, PublishedProducts, PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { Leads, addLead } from "#shared/storage/enquiry/leads.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { quoteLines } from "#shared/application/enquiry/quote-lines.ts";
import { at } from "#shared/storage/reads.ts";
import type { Deps } from "./deps.ts";
import { isTrapped, readTwin, submitOnce, twinOf } from "./submit-once.ts";

export const createLead = route({
  method: "POST",
  path: "/leads",
  summary: "Send an enquiry",
  description:
    "Notifies the shop by mail, and the sender if `email` is present. Sending the same " +
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
  first: async ({ body }, deps: Deps) => readTwin(await twinOf("lead", body, deps), deps),
  async handle(call, deps) {
    const { body, now } = call;
    const id = newId("lead", now);
    if (isTrapped(body)) {
      const reference = enquiryReference("L", deps.randomBytes(8));
      const headers = locationHeaders(`/admin/leads/${id}`, false);
      return { data: { id, reference, status: "new" }, headers };
    }
    const sofas = await requirePublished(body.products, deps);
    await requireValid(body, sofas, now, deps);
    const { record, replayed } = await submitOnce(call, deps, {
      kind: "lead",
      id,
      twin: await twinOf("lead", body, deps),
      make(reference) {
        const lead = newLead(body, { id, reference, now });
        return {
          record: lead,
          writes: [
            ...addLead(lead),
            publishEvent({ type: "lead_received", lead_id: id }, now),
            ...(lead.email === null
              ? []
              : [publishEvent({ type: "lead_acknowledged", lead_id: id }, now)]),
          ],
        };
      },
      find: (id) => deps.table.get(Leads, { id }),
    });
    return { data: record, headers: locationHeaders(`/admin/leads/${record.id}`, replayed) };
  },
});

/**
 * Validates the configuration with the rules for quotes, if the lead names exactly one sofa.
 *
 * @throws AppError `validation_failed` on the options that the sofa refuses
 */
async function requireValid(
  { configuration }: Pick<LeadInput, "configuration">,
  sofas: readonly string[],
  now: Date,
  { table, settings }: Pick<Deps, "table" | "settings">,
): Promise<void> {
  const [sofa, ...others] = sofas;
  if (!configuration || sofa === undefined || others.length > 0) return;
  const { store } = await settings.current();
  const requested = { kind: "sofa" as const, sofa, configuration };
  const sale = { now, currency: store.currency };
  const { problems } = await quoteLines(table, [{ requested, quantity: 1, path: "lead" }], sale);
  const faults = problems.flatMap(({ path, message }) => {
    const member = path.slice("lead.".length);
    return member.startsWith("configuration") ? [{ path: member, message }] : [];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/**
 * Requires that the lead's products and sofas are published.
 *
 * @returns the ids and slugs among `names` that belong to sofas
 * @throws AppError `validation_failed` on each unknown id or slug
 */
async function requirePublished(
  names: readonly string[],
  { table }: Pick<Deps, "table">,
): Promise<string[]> {
  if (names.length === 0) return [];
  const distinct = [...new Set(names)];
  const slugs = distinct.filter((name) => !isId(name));
  const found = await table.getMany({
    cards: distinct.filter(isId).map((id) => at(Cards, { id })),
    products: slugs.map((slug) => at(PublishedProducts, { slug })),
    sofas: slugs.map((slug) => at(PublishedSofas, { slug })),
  });
  const published = new Set<string>([
    ...found.cards.flatMap((card) => card?.id ?? []),
    ...[...found.products, ...found.sofas].flatMap((thing) => thing?.slug ?? []),
  ]);
  const problems = names.flatMap((name, index) =>
    published.has(name)
      ? []
      : [
          {
            path: `products.${index}`,
            message: "There is no product or sofa with this id or slug.",
          },
        ],
  );
  if (problems.length > 0) throw invalidFields(problems);
  const sofas = new Set(found.sofas.flatMap((sofa) => sofa?.slug ?? []));
  return distinct.filter((name) => name.startsWith("sofa_") || sofas.has(name));
}

/** Slugs contain no underscore; ids always do. */
const isId = (name: string): boolean => name.includes("_");

export const routes = [createLead];
