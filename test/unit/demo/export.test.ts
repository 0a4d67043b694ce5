import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type * as z from "zod";
import { exportRow, exportedRecords } from "#shared/domain/export/exported-records.ts";

const fileNamed = (name: string) =>
  readFileSync(new URL(`../../../infra/local/demo/export/${name}`, import.meta.url), "utf8");

test.each(["catalog", "content", "media"] as const)(
  "the demo shop's export of the %s has one record per line, with its members in the order of their schema",
  (part) => {
    const [head, ...lines] = fileNamed(`${part}.json`).split("\n");
    expect(head).toMatch(/^\{"type":"\w+","version":1,"exported_at":"[^"]+","records":\[$/);
    expect(lines.splice(-2)).toEqual(["]}", ""]);
    expect(lines.length).toBeGreaterThan(10);
    const schemas: Record<string, z.ZodObject> = exportedRecords[part];
    for (const [position, line] of lines.entries()) {
      const isLast = position === lines.length - 1;
      const { record, data } = JSON.parse(isLast ? line : line.replace(/,$/, "")) as {
        record: string;
        data: unknown;
      };
      const written = JSON.stringify(exportRow(part, record, schemas[record]!.parse(data)));
      expect(line).toBe(isLast ? written : `${written},`);
    }
  },
);
