import { expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { everyEntity } from "#infra/entities.ts";

test("every entity is part of an export or declares why it is not", async () => {
  const exports = consumers.find(({ name }) => name === "on-change-exports");
  const exported = new Set<string>(exports?.permissions.reads);
  const entities = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
  const forgotten = entities.filter(
    ({ name, notExported }) => !exported.has(name) && notExported === undefined,
  );
  expect(
    forgotten.map(({ name }) => name),
    "Declare `notExported` with the entity, or export it: shared/domain/export/exported-records.ts, " +
      "shared/application/export, and record its permissions: npm run generate grants -- test/api/admin/exports.test.ts",
  ).toEqual([]);
  const contradictory = entities.filter(
    ({ name, notExported }) => exported.has(name) && notExported,
  );
  expect(
    contradictory.map(({ name }) => name),
    "Exports read these entities, so `notExported` is wrong",
  ).toEqual([]);
});
