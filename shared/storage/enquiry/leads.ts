import { StoredLead } from "../../domain/enquiry/lead.ts";
import { is, isNew } from "../conditions.ts";
import { followEnquirer } from "./enquirers.ts";
import { entity } from "../entity.ts";
import { followUpWrites } from "./follow-ups.ts";
import { type Write, put } from "../writes.ts";

/** The partition of the index that lists all leads, sorted by creation time. */
export const leadList = "LEADS";
export const leadsIn = (status: string) => `${leadList}#${status}`;

/** All leads are listed together and per status, each list sorted by creation time. */
export const Leads = entity({
  name: "lead",
  notExported: "personal",
  schema: StoredLead,
  key: ({ id }: { id: string }) => ({ pk: `LEAD#${id}`, sk: "LEAD" }),
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: leadList, sk: `${created_at}#${id}` }),
    gsi2: ({ status, created_at, id }) => ({ pk: leadsIn(status), sk: `${created_at}#${id}` }),
  },
});

/** Stores a new lead, which has no follow-up yet. */
export const addLead = (lead: StoredLead): Write[] => [
  put(Leads, lead, isNew),
  ...followEnquirer(undefined, lead),
];

/** Stores a lead, if it is unchanged since it was read. */
export const replaceLead = (before: StoredLead, after: StoredLead): Write[] => [
  put(Leads, after, is("version", before.version)),
  ...followEnquirer(before, after),
  ...followUpWrites(before, after),
];
