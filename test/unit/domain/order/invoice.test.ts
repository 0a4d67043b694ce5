import { expect, test } from "vitest";
import { invoiceAt, invoiceSeries } from "#shared/domain/order/invoice/invoice.ts";
import { startOfDay } from "#shared/domain/base/day.ts";

const series = (at: string, prefix = "FS", year_starts_month = 4, timezone = "Asia/Kolkata") =>
  invoiceSeries(
    { store: { timezone }, tax: { invoice: { prefix, year_starts_month } } },
    new Date(at),
  );

test.each([
  ["2026-11-21T06:30:00Z", "FS/26-27", "2026-11-21"],
  ["2027-03-31T18:29:59Z", "FS/26-27", "2027-03-31"],
  ["2027-03-31T18:30:00Z", "FS/27-28", "2027-04-01"],
  ["2099-12-31T12:00:00Z", "FS/99-00", "2099-12-31"],
])("an invoice issued at %s has a number in the series %s", (at, name, issued_on) => {
  expect(series(at)).toEqual({ name, issued_on });
});

test("the series of a financial year that equals the calendar year is named after that year", () => {
  expect(series("2026-12-31T23:59:59Z", "AB", 1, "UTC").name).toBe("AB/2026");
});

test("an invoice number has at most sixteen characters", () => {
  const invoice = invoiceAt(series("2026-11-21T06:30:00Z", "DHL"), 123);
  expect(invoice).toEqual({ number: "DHL/26-27/000123", issued_on: "2026-11-21" });
  expect(invoice.number.length).toBeLessThanOrEqual(16);
});

test.each([
  ["2026-11-21", "Asia/Kolkata", "2026-11-20T18:30:00.000Z"],
  ["2026-11-21", "UTC", "2026-11-21T00:00:00.000Z"],
  ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z"],
  ["2026-03-09", "America/New_York", "2026-03-09T04:00:00.000Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
  ["2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
])("the day %s in the timezone %s begins at %s", (day, timezone, at) => {
  expect(startOfDay(day, timezone).toISOString()).toBe(at);
});
