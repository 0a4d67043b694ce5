import { expect, test } from "vitest";
import {
  advanced,
  canBeJoined,
  canBeClaimed,
  finished,
  withReleasedLease,
  isAbandoned,
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

test("a new job can be claimed, and is abandoned if unclaimed for a minute", () => {
  expect(canBeClaimed(fresh, noon)).toBe(true);
  expect(isAbandoned(fresh, later(59))).toBe(false);
  expect(isAbandoned(fresh, later(60))).toBe(true);
});

test("a lease excludes other workers while it is renewed", () => {
  const held = advanced(fresh, { records: 10 }, "worker", later(50));
  expect(canBeClaimed(held, later(100))).toBe(false);
  expect(canBeClaimed(held, later(110))).toBe(true);
  expect(canBeClaimed(withReleasedLease(held, later(60)), later(60))).toBe(true);
});

test("a job can be joined while it runs and for a minute after, and is abandoned after six hours", () => {
  expect(canBeJoined(fresh, later(5 * 3600))).toBe(true);
  expect(canBeJoined(fresh, later(6 * 3600))).toBe(false);
  const ready = finished(fresh, result, later(600));
  expect(canBeJoined(ready, later(659))).toBe(true);
  expect(canBeJoined(ready, later(660))).toBe(false);
  expect([canBeClaimed(ready, later(660)), isAbandoned(ready, later(9000))]).toEqual([
    false,
    false,
  ]);
});

test("a job fails after five attempts, reports this for a minute and is not claimed again", () => {
  let job = fresh;
  for (let attempt = 1; attempt < 5; attempt++) {
    job = afterFailure(advanced(job, {}, "worker", noon), noon);
    expect([job.status, canBeClaimed(job, noon)]).toEqual(["running", true]);
  }
  const failed = afterFailure(job, later(600));
  expect([failed.status, canBeClaimed(failed, later(9000))]).toEqual(["failed", false]);
  expect([canBeJoined(failed, later(659)), canBeJoined(failed, later(660))]).toEqual([true, false]);
});

test("a full export requires the permissions of every part", () => {
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
