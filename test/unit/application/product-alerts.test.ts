import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestAlert } from "#shared/application/marketing/request-alert.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { anyVariant } from "#shared/domain/marketing/product-alert.ts";
import { Proofs } from "#shared/storage/customer/proofs.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { openSettings } from "#shared/storage/settings/settings.ts";
import { ProductAlerts } from "#shared/storage/marketing/product-alerts.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

test("a request beyond the day's confirmation mails writes a link and an event, but no alert and no mail", async () => {
  const email = "asha@example.com";
  const written: string[][] = [];
  const settings = openSettings(fixture.table);
  const rates = openRateCounters(fixture.table, { error: () => undefined });
  const table: Table = {
    ...fixture.table,
    async transact(writes) {
      const text = JSON.stringify(writes);
      const names = [Outbox.name, Proofs.name, ProductAlerts.name];
      written.push(names.filter((name) => text.includes(`"${name}"`)));
      expect(text.includes('"state":"waiting"')).toBe(written.length <= 3);
      await fixture.table.transact(writes);
    },
  };
  for (let number = 1; number <= 4; number++) {
    const at = noon.toISOString();
    const id = { email, product_id: newId("prd", noon), kind: "back_in_stock" } as const;
    const request = { ...id, variant_id: anyVariant, price: 1_000, at, isProven: false };
    await requestAlert(request, { table, settings, rates, randomBytes }, noon);
    const alert = await fixture.table.get(ProductAlerts, id);
    expect(alert?.status).toBe(number <= 3 ? "pending" : undefined);
  }
  expect(written[2]).toEqual([Outbox.name, Proofs.name, ProductAlerts.name]);
  expect(written[3]).toEqual([Outbox.name, Proofs.name]);
});
