import type { Shop } from "#shared/application/shop.ts";
import { quoteLines } from "./quote-lines.ts";
import { type LeadInput, newLead } from "#shared/domain/enquiry/lead.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { Cards, PublishedProducts, PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { Leads, addLead } from "#shared/storage/enquiry/leads.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { at } from "#shared/storage/reads.ts";
import { type FormCall, submitOnce, twinOf } from "./submit-enquiry.ts";

/**
 * Stores a lead once, and publishes the events that mail it to the shop and its sender.
 *
 * @param id of the lead, if it is new
 * @throws AppError as `submitOnce`, `validation_failed`
 */
export async function createLead(
  call: FormCall & { readonly body: LeadInput },
  id: string,
  shop: Shop<"table" | "randomBytes" | "rates" | "settings", "store">,
) {
  const { body, now } = call;
  const sofas = await requirePublished(body.products, shop);
  await requireValid(body, sofas, now, shop);
  return submitOnce(call, shop, {
    kind: "lead",
    id,
    twin: await twinOf("lead", body, shop),
    email: body.email,
    make(reference, letter) {
      const lead = newLead(body, { id, reference, ...letter, now });
      return {
        record: lead,
        writes: [
          ...addLead(lead),
          publishEvent({ type: "lead_received", lead_id: id }, now),
          ...(lead.email === null || lead.letter_withheld
            ? []
            : [publishEvent({ type: "lead_acknowledged", lead_id: id }, now)]),
        ],
      };
    },
    find: (id) => shop.table.get(Leads, { id }),
  });
}

/**
 * Validates the configuration with the rules for quotes, if the lead names exactly one sofa.
 *
 * @throws AppError `validation_failed` on the options that the sofa refuses
 */
async function requireValid(
  { configuration }: Pick<LeadInput, "configuration">,
  sofas: readonly string[],
  now: Date,
  { table, settings }: Shop<"table" | "settings", "store">,
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
  { table }: Shop<"table">,
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
