import { drawDocument } from "#shared/documents/draw-document.ts";
import { openFonts } from "#shared/documents/fonts.ts";
import { invoiceDocument, orderConfirmation } from "#shared/documents/order-document.ts";
import { aPricedLine, anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { cpuMicroseconds } from "./cpu.ts";
import type { Section } from "./report.ts";

/** Lines of the orders: the one that `bench -- peers` places, a usual one, and the largest. */
const sizes = [1, 3, 100];
const batch = 5;

/** What a PDF costs. A checkout draws none: a confirmation is drawn when somebody opens it, an invoice at dispatch. */
export async function documentsSection(): Promise<Section> {
  const settings = someSettings();
  const rows = [];
  for (const count of sizes) {
    const lines = Array.from({ length: count }, (_, index) =>
      aPricedLine({ id: anId("line", index + 1) }),
    );
    const order = aPlacedOrder({}, { lines });
    const of = { number: order.number, issued_on: "2026-11-21" };
    const documents = {
      "order confirmation": orderConfirmation(
        order,
        { type: "order_confirmation", ...of },
        settings,
      ),
      invoice: invoiceDocument(order, { type: "invoice", ...of }, settings),
    };
    for (const [name, document] of Object.entries(documents)) {
      const draw = () => drawDocument(document, openFonts(), noon);
      const { byteLength } = await draw();
      rows.push([name, count, (await cpuMicroseconds(draw, batch)) / 1_000, byteLength / 1_000]);
    }
  }
  return {
    title: "Documents",
    note: "CPU ms of drawing a PDF, without storing it. A checkout draws none.",
    columns: ["document", "lines", "CPU ms", "KB"],
    rows,
  };
}
