import { readFileSync } from "node:fs";
import { Stack } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { storefront } from "#infra/cloud/app.ts";
import cdk from "../../cdk.json" with { type: "json" };
import { bundles } from "./deployed-shop.ts";
import { resourcesOf } from "./template.ts";

/** A configuration that adds every optional alarm. */
const everything = {
  cdn: "true",
  region: "eu-west-1",
  mailDomain: "shop.example.com",
  budget: "500",
};
const { app } = await storefront(
  { authorizer, families, consumers },
  { context: { ...cdk.context, ...everything }, bundles },
);
const resources = (type: string) =>
  app.node
    .findAll()
    .filter((construct) => Stack.isStack(construct))
    .flatMap((stack) => resourcesOf(stack).of(type))
    .map(({ Properties }) => Properties);
const alarms = resources("AWS::CloudWatch::Alarm");
const Budget = z.object({ Budget: z.object({ BudgetName: z.string() }) });
const budgets = resources("AWS::Budgets::Budget").map((each) => Budget.parse(each).Budget);
const runbookOf = /^\[(?:urgent|soon)\] .+\. What to do: infra\/runbooks\.md#([a-z0-9-]+)$/;
const named = alarms.map(({ AlarmDescription }) => runbookOf.exec(String(AlarmDescription))?.[1]);

const page = readFileSync("infra/runbooks.md", "utf8");
const sections = page.split(/^## /m).slice(1);
const actions = new Map(
  sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    return [heading, lines.join("\n").trim()] as const;
  }),
);
/** The only heading that does not belong to an alarm. */
const introduction = "Find the cause";

describe("every alarm", () => {
  test("has a severity and links to a heading in the runbooks", () => {
    expect(alarms.length).toBeGreaterThan(50);
    const without = alarms.filter((_alarm, position) => {
      const heading = named[position];
      return heading === undefined || !actions.has(heading);
    });
    console.log(`Alarms without runbook: ${without.length} of ${alarms.length}.`);
    expect(without).toEqual([]);
  });

  test("has exactly one notification action", () => {
    for (const { AlarmActions } of alarms) expect(AlarmActions).toHaveLength(1);
  });
});

describe("every runbook", () => {
  test("belongs to an alarm or to the budget", () => {
    const headings = [...actions.keys()].filter((heading) => heading !== introduction);
    const linked = [
      ...named.filter((heading) => heading !== undefined),
      ...budgets.map(({ BudgetName }) => BudgetName.split("infra/runbooks.md#")[1] ?? BudgetName),
    ];
    expect(headings.toSorted()).toEqual([...new Set(linked)].toSorted());
  });

  test("explains what the alarm means and what to do", () => {
    for (const [heading, text] of actions) {
      const [, action = ""] = text.split("\n\n");
      expect([heading, action]).toEqual([heading, expect.stringMatching(/.{20}/)]);
    }
  });
});

describe("the DynamoDB table", () => {
  test("raises an alarm when it or one of its indexes is throttled", () => {
    const watched = alarms.map(({ Metrics }) => JSON.stringify(Metrics ?? ""));
    const throttles = watched.find((metrics) => metrics.includes("ThrottleEvents")) ?? "";
    for (const each of ["ReadThrottleEvents", "WriteThrottleEvents"])
      expect(throttles.split(each)).toHaveLength(4);
    expect(throttles).toContain('"gsi1"');
    expect(throttles).toContain('"gsi2"');
  });
});
