import { describe, expect, test } from "vitest";
import { everyEntity } from "#infra/entities.ts";
import { partitionsOf } from "#shared/storage/key-patterns.ts";
import { deployed, functions, resources } from "./deployed-shop.ts";
import { Policy, textOf } from "./template.ts";

const entities = await everyEntity();

/** The partitions that IAM allows a function, by action. */
function partitionsFor(name: string, action: string): string[] {
  return deployed(name)
    .statements.filter(({ Action }) => Action.includes(`dynamodb:${action}`))
    .flatMap(({ Condition }) => {
      const keys = Condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
      // A statement without the condition would allow every partition.
      return keys ?? ["*"];
    });
}

const allows = (patterns: readonly string[], partition: string) =>
  patterns.some((pattern) =>
    pattern.endsWith("*") ? partition.startsWith(pattern.slice(0, -1)) : pattern === partition,
  );
const who = (action: string, partition: string) =>
  functions
    .map(({ name }) => name)
    .filter((name) => allows(partitionsFor(name, action), partition));

test("a function can access only the partitions of the entities that it declares", () => {
  const partitionsIn = (names: readonly string[] = []) =>
    entities.filter(({ name }) => names.includes(name)).flatMap((each) => partitionsOf(each).table);
  for (const { name, permissions } of functions) {
    const actions = { GetItem: permissions.reads, PutItem: permissions.writes };
    for (const [action, names] of Object.entries(actions)) {
      const declared = partitionsIn(names);
      const granted = partitionsFor(name, action);
      expect([name, declared.filter((partition) => !allows(granted, partition))]).toEqual([
        name,
        [],
      ]);
      expect([name, granted.filter((pattern) => !declared.includes(pattern))]).toEqual([name, []]);
    }
  }
});

test("a DynamoDB request without leading keys, such as a scan, is denied", () => {
  const statements = resources.functions
    .of("AWS::IAM::Policy")
    .flatMap(({ Properties }) => Policy.parse(Properties).PolicyDocument.Statement);
  // Streams have no partition keys. Lambda reads a function's event source with the function's role.
  const ofStreams = /^dynamodb:(?:ListStreams|DescribeStream|GetRecords|GetShardIterator)$/;
  const ofTable = statements.filter(({ Action }) =>
    Action.some((action) => action.startsWith("dynamodb:") && !ofStreams.test(action)),
  );
  expect(ofTable.length).toBeGreaterThan(functions.length);
  for (const { Action, Condition } of ofTable) {
    const patterns = Condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? [];
    expect([Action, patterns.length > 0, patterns.includes("*")]).toEqual([Action, true, false]);
    expect(Condition["Null"]).toEqual({ "dynamodb:LeadingKeys": ["false"] });
    expect(Action).not.toContain("dynamodb:Scan");
  }
});

describe("the manifest of functions", () => {
  const publicFamilies = ["content", "catalog"];

  test("does not permit public families to read customers, orders, staff, sessions or secrets", () => {
    for (const name of publicFamilies) {
      for (const partition of [
        "CUSTOMER#cus_1",
        "CART#hash",
        "EMAIL#customer#a@example.com",
        "BUYER#email#a@example.com",
        "ORDER#ord_1",
        "ORDERNUMBER#FS-1",
        "ORDERNAME#a",
        "NAMESOFORDER#ord_1",
        "LEAD#lead_1",
        "QUOTE#qte_1",
        "CONVERSATION#conv_1",
        "PROOF#hash",
        "STAFF#stf_1",
        "ROLES",
        "SECRETS#payments",
        "OUTBOX#1",
        "ACTIVITY#2026-11",
      ]) {
        const read = partitionsFor(name, "GetItem");
        expect([name, partition, allows(read, partition)]).toEqual([name, partition, false]);
      }
    }
  });

  test("permits only the declared functions to read settings secrets, and only the settings family to write them", () => {
    // The staff sign-in function is left out: it uses the encryption keys for second factors only.
    const holders = functions
      .filter(
        ({ name, permissions }) =>
          permissions.secrets?.includes("settings") && name !== "admin-auth",
      )
      .map(({ name }) => name);
    expect(who("GetItem", "SECRETS#payments")).toEqual(holders);
    expect(who("PutItem", "SECRETS#payments")).toEqual(["admin-settings"]);
    expect(who("UpdateItem", "SETTINGS")).toEqual(["admin-settings"]);
  });

  test("permits only the staff families to write staff users, roles and the owner count", () => {
    for (const beginning of ["STAFF#", "EMAIL#staff#", "ROLES", "OWNERS"]) {
      const writers = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"].flatMap((action) =>
        who(action, `${beginning}stf_1`).concat(who(action, beginning)),
      );
      const strangers = writers.filter((name) => !["admin-auth", "admin-staff"].includes(name));
      expect([beginning, strangers]).toEqual([beginning, []]);
    }
  });

  test("does not permit functions that do not handle customer data to read customer accounts", () => {
    const readers = who("GetItem", "CUSTOMER#cus_1");
    for (const name of [
      "admin-catalog",
      "admin-content",
      "admin-media",
      "admin-staff",
      "webhooks",
    ]) {
      expect(readers).not.toContain(name);
    }
    expect(readers).toContain("account");
  });
});

test("every entity declares its partitions in the table and in its indexes", () => {
  for (const entity of entities.filter(({ readsOthers }) => !readsOthers)) {
    const { table, indexes } = partitionsOf(entity);
    for (const pattern of [...table, ...indexes]) {
      expect([entity.name, pattern]).toEqual([entity.name, expect.stringMatching(/^[A-Z]+/)]);
    }
    expect(table.length).toBeGreaterThan(0);
    expect(indexes.length > 0).toBe(Object.keys(entity.indexes).length > 0);
  }
});

test("the inline policies of each role stay within IAM's size limit, even with the longest ARNs", () => {
  const longest = "a".repeat(150);
  for (const { name } of functions) {
    const statements = deployed(name).statements.map(({ Resource, ...rest }) => ({
      ...rest,
      Resource: Resource.map((each) => textOf(each, longest)),
    }));
    expect(JSON.stringify(statements).length, name).toBeLessThan(10_000);
  }
});
