import { expect, test } from "vitest";
import {
  advanced,
  canBeJoined,
  canBeClaimed,
  exportExpiresAt,
  finished,
  withReleasedLease,
  isAbandonedJob,
  newExportJob,
  afterFailure,
} from "#shared/domain/export/export-job.ts";
import { permissionsFor } from "#shared/domain/export/export.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const fresh = newExportJob(
  { type: "orders", format: "csv", requested_by: anId("stf") },
  { id: anId("exp"), now: noon },
);
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
const result = { name: "orders.csv", bytes: 1, sha256: "0" };

test("a new export job can be claimed, and counts as abandoned if no worker claims it within a minute", () => {
  expect(canBeClaimed(fresh, noon)).toBe(true);
  expect(isAbandonedJob(fresh, later(59))).toBe(false);
  expect(isAbandonedJob(fresh, later(60))).toBe(true);
});

test("an export job cannot be claimed by another worker until its lease expires or is released", () => {
  const held = advanced(fresh, { records: 10 }, "worker", later(50));
  expect(canBeClaimed(held, later(100))).toBe(false);
  expect(canBeClaimed(held, later(110))).toBe(true);
  expect(canBeClaimed(withReleasedLease(held, later(60)), later(60))).toBe(true);
});

test("a repeated export request joins the existing job while it runs, for at most six hours, and for a minute after it ends", () => {
  expect(canBeJoined(fresh, later(5 * 3600))).toBe(true);
  expect(canBeJoined(fresh, later(6 * 3600))).toBe(false);
  const ready = finished(fresh, result, later(600));
  expect(canBeJoined(ready, later(659))).toBe(true);
  expect(canBeJoined(ready, later(660))).toBe(false);
  expect([canBeClaimed(ready, later(660)), isAbandonedJob(ready, later(9000))]).toEqual([
    false,
    false,
  ]);
});

test("an export job fails after five attempts and is never claimed again; for a minute after that, the same export request gets the failed job", () => {
  let job = fresh;
  for (let attempt = 1; attempt < 5; attempt++) {
    job = afterFailure(advanced(job, {}, "worker", noon), noon);
    expect([job.status, canBeClaimed(job, noon)]).toEqual(["running", true]);
  }
  const failed = afterFailure(job, later(600));
  expect([failed.status, canBeClaimed(failed, later(9000))]).toEqual(["failed", false]);
  expect([canBeJoined(failed, later(659)), canBeJoined(failed, later(660))]).toEqual([true, false]);
});

test("an export's row and file are kept for a day from its start", () => {
  const ready = finished(fresh, result, later(600));
  expect(new Date(exportExpiresAt(ready))).toEqual(later(24 * 3600));
});

test("a full export requires the permissions of all exports that it contains", () => {
  expect(permissionsFor("orders")).toEqual(["orders.view", "orders.customers"]);
  expect(permissionsFor("full").toSorted()).toEqual([
    "catalog.view",
    "content.view",
    "media.view",
    "orders.customers",
    "orders.view",
    "settings.view",
  ]);
});
