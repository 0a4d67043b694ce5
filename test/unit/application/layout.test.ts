import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted();

const useCases = filesOf("shared/application/**/*.ts");

/** Files that mean the same as the schema or the rows whose name they share. */
const sameMeaning = new Set([
  "credentials.ts",
  "customer-export.ts",
  "product-alerts.ts",
  "references.ts",
  "second-factor.ts",
  "unsubscribe.ts",
  "whatsapp-account.ts",
]);

describe("the use cases in shared/application", () => {
  test("have names that no other file of the product has", () => {
    const others = filesOf("{functions,shared}/**/*.ts").filter((file) => !useCases.includes(file));
    const taken = new Set(others.map((file) => basename(file)));
    const twice = useCases.filter(
      (file, index) =>
        (taken.has(basename(file)) && !sameMeaning.has(basename(file))) ||
        useCases.findIndex((one) => basename(one) === basename(file)) !== index,
    );
    expect(twice).toEqual([]);
  });

  test("stand in folders of at most 15 files", () => {
    const counts = new Map<string, number>();
    for (const file of useCases) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
  });
});

/** How often a file of routes may write: one write without a decision, such as ending a session, needs no use case. */
const writesOf: Readonly<Record<string, number>> = {
  "functions/account/sessions.ts": 1,
  "functions/admin-auth/own-sessions.ts": 1,
  "functions/admin-auth/password-reset.ts": 1,
  "functions/admin-auth/profile.ts": 1,
  "functions/admin-auth/sessions.ts": 4,
  "functions/admin-catalog/categories.ts": 2,
  "functions/admin-content/live-document.ts": 1,
  "functions/admin-exports/customers.ts": 1,
  "functions/admin-exports/exports.ts": 1,
  "functions/admin-leads/newsletter.ts": 1,
  "functions/enquiries/fabric-uploads.ts": 1,
  "functions/webhooks/stripe.ts": 1,
};

test("files that declare routes leave writing to the use cases", () => {
  const ofRoutes = filesOf("functions/*/*.ts").filter((file) => !file.includes("/on-"));
  const counted = ofRoutes.flatMap((file): [string, number][] => {
    const writes = readFileSync(join(root, file), "utf8").match(/\.(?:write|transact)\(/g);
    return writes ? [[file, writes.length]] : [];
  });
  const tooMany = counted.filter(([file, writes]) => writes > (writesOf[file] ?? 0));
  expect(tooMany.map(([file, writes]) => `${file} writes ${writes} times`)).toEqual([]);
});
