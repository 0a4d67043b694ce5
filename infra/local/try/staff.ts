import type { Document } from "#shared/domain/document/document.ts";
import type {
  AdminOrder,
  AdminOrderSummary,
  AdminShipment,
} from "#shared/domain/order/view/admin-order.ts";
import type { Quote } from "#shared/domain/enquiry/quote-view.ts";
import type * as z from "zod";
import { demoLogins } from "../demo/data/staff.ts";
import type { Calls } from "./calls.ts";
import { type Data, type List, shownAmount } from "./words.ts";

interface Changed {
  order: AdminOrder;
  shipment: AdminShipment;
}

const asStaff = ["Authorization: Bearer $TOKEN"];

/** The person at the order desk ships the order that is paid in cash, and closes it. */
export async function shipOrder(calls: Calls, id: string): Promise<void> {
  const { ask, askUntil, keep, note, title } = calls;
  title("As staff: sign in, and ship the order that is paid in cash");
  const login = demoLogins.find(({ role }) => role === "owner");
  const { data: session } = await ask<Data<{ token: string }>>({
    url: "$API/admin/auth/login",
    json: { email: login?.email, password: login?.password },
  });
  keep("TOKEN", session.token);
  const { data: orders } = await ask<List<AdminOrderSummary>>({
    url: "$API/admin/orders?status=confirmed&per_page=3",
    headers: asStaff,
  });
  for (const { number, customer, totals, currency } of orders)
    note(`  ${number}, ${customer.name}, ${shownAmount(totals.grand_total, currency)}`);

  keep("ORDER", id);
  const url = "$API/admin/orders/$ORDER";
  const { data: ready } = await ask<Data<AdminOrder>>({
    method: "PATCH",
    url,
    headers: asStaff,
    json: { status: "ready_to_dispatch", notes: "Call before delivery." },
  });
  note(`Order ${ready.number}: ${ready.status}.`);
  const { data: packed } = await ask<Data<Changed>>({
    url: `${url}/shipments`,
    headers: [...asStaff, "Idempotency-Key: shipment-$ORDER"],
    json: { carrier: "Delhivery", tracking_number: "1490823764521" },
  });
  keep("SHIPMENT", packed.shipment.id);
  const { carrier, tracking_number } = packed.shipment;
  note(`A shipment by ${carrier}, ${tracking_number}: ${packed.shipment.status}.`);
  for (const status of ["packed", "out_for_delivery", "delivered"]) {
    const { data } = await ask<Data<Changed>>({
      method: "PATCH",
      url: `${url}/shipments/$SHIPMENT`,
      headers: asStaff,
      json: { status },
    });
    note(`Order ${data.order.status}; invoice ${data.order.invoice?.number ?? "not issued yet"}.`);
  }
  const { due } = ready.totals;
  const { data: paid } = await ask<Data<{ order: AdminOrder }>>({
    url: `${url}/payments`,
    headers: [...asStaff, "Idempotency-Key: payment-$ORDER"],
    json: { method: "cod", amount: due, reference: "Receipt 1" },
  });
  note(`${shownAmount(due, ready.currency)} received: ${paid.order.payment_status}.`);
  const { data: documents } = await askUntil<Data<Document[]>>(
    { url: `${url}/documents`, headers: asStaff },
    ({ data }) => data.some(({ type }) => type === "invoice"),
  );
  note(documents.map(({ type, number }) => `${type} ${number}`).join(", "));
}

interface Placed {
  order: AdminOrder;
  pay_url: string | null;
}

/** The seller takes an order on the phone, for a customer without an email. */
export async function sellByPhone(calls: Calls, sku: string): Promise<void> {
  const { ask, keep, note, title } = calls;
  title("As staff: sell on the phone");
  const { data: quote } = await ask<Data<z.output<typeof Quote>>>({
    url: "$API/admin/quotes",
    headers: asStaff,
    json: {
      customer: { name: "Meera Pillai", phone: "+919845011223" },
      channel: "phone",
      items: [{ sku, quantity: 1, discount: { bps: 500, reason: "Returning customer" } }],
      shipping_address: {
        line1: "12 Lavelle Road",
        city: "Bengaluru",
        state: "Karnataka",
        postal_code: "560001",
        country: "IN",
      },
      shipping_method: "standard",
    },
  });
  const { totals, currency } = quote;
  keep("QUOTE", quote.id);
  note(
    `Quote ${quote.reference}: ${shownAmount(totals?.grand_total ?? 0, currency)} with delivery,`,
  );
  note(`  ${shownAmount(totals?.discount ?? 0, currency)} off.`);
  const { data: placed } = await ask<Data<Placed>>({
    url: "$API/admin/quotes/$QUOTE/place",
    headers: [...asStaff, "Idempotency-Key: place-$QUOTE"],
    json: { payment: { method: "bank_transfer", tender: "upi" } },
  });
  const { number, payment_status, channel } = placed.order;
  note(`Order ${number}, sold by ${channel}: ${payment_status}.`);
}
