import * as z from "zod";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

interface Enquiry {
  readonly id: string;
  readonly email: string | null;
  /** The account that staff have made a quote for. */
  readonly customer_id?: string | null;
}

/** The leads and quotes of an email, and the quotes that staff have made for an account, by its id. */
export const EnquiriesOfEmail = entity({
  name: "enquiry_of_email",
  notExported: "derived",
  schema: z.object({ id: z.string() }),
  key: ({ enquirer, id }: { enquirer: string; id: string }) => ({
    pk: enquiriesOf(enquirer),
    sk: id,
  }),
});

/** @param enquirer an email, or the id of a customer */
export const enquiriesOf = (enquirer: string) => `ENQUIRER#${enquirer}`;

/** The email and the account under which a lead or quote is found. */
export const enquirersOf = ({ email, customer_id = null }: Omit<Enquiry, "id">): string[] =>
  [email, customer_id].filter((enquirer) => enquirer !== null);

/**
 * Updates the lookups of a lead or quote by its email and account.
 *
 * @param before undefined for a new lead or quote
 */
export function followEnquirer(before: Enquiry | undefined, after: Enquiry): Write[] {
  const { id } = after;
  const [was, is] = [before ? enquirersOf(before) : [], enquirersOf(after)];
  return [
    ...was
      .filter((enquirer) => !is.includes(enquirer))
      .map((enquirer) => remove(EnquiriesOfEmail, { enquirer, id })),
    ...is
      .filter((enquirer) => !was.includes(enquirer))
      .map((enquirer) => put(EnquiriesOfEmail, { enquirer, id })),
  ];
}
