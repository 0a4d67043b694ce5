import type { Identity } from "../../auth/identity.ts";
import { Customers } from "../../storage/customer/customers.ts";
import { CustomerSessions, counts } from "../../storage/staff/sessions.ts";
import { at } from "../../storage/reads.ts";
import type { Table } from "../../storage/table.ts";
import type { KeySource } from "../../runtime/key-ring.ts";
import { verifyToken } from "../../auth/tokens.ts";

/** Verifies customers' tokens and the validity of their sessions. */
export function openCustomerIdentity(table: Table, keys: KeySource): Identity {
  return {
    async readToken(token, now) {
      const read = await verifyToken(token, "customer", keys, now);
      return "claims" in read ? read.claims : undefined;
    },
    async sessionState(claims, now) {
      const { sessions, customers } = await table.getMany({
        sessions: [at(CustomerSessions, claims)],
        customers: [at(Customers, { id: claims.subject })],
      });
      return counts(sessions[0], customers[0], now) ? { permissions: [] } : undefined;
    },
  };
}
