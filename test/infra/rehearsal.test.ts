import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stripTemplates } from "#infra/rehearsal/strip-templates.ts";
import { type Template, strips } from "#infra/rehearsal/strips.ts";

const everyStrip = strips.map(({ name }) => name);
const allBut = (name: string) => everyStrip.filter((each) => each !== name);

/** A directory as `cdk synth` writes it, with one stack. */
function synthesized(template: Template): string {
  const out = mkdtempSync(join(tmpdir(), "synthesized-"));
  const key = "a".repeat(64);
  const files = { [key]: { source: { path: "shop.template.json" } } };
  writeFileSync(join(out, "shop.template.json"), JSON.stringify(template));
  writeFileSync(join(out, "shop.assets.json"), JSON.stringify({ files }));
  writeFileSync(join(out, "manifest.json"), JSON.stringify({ url: `s3://assets/${key}.json` }));
  return out;
}

const read = (out: string, file: string): unknown =>
  JSON.parse(readFileSync(join(out, file), "utf8"));

test("a strip removes resources with all that depends on them, and the template gets a new key", () => {
  const out = synthesized({
    Resources: {
      Budget: { Type: "AWS::Budgets::Budget" },
      Topic: { Type: "AWS::SNS::Topic", DependsOn: ["Budget", "Key"] },
      Key: { Type: "AWS::KMS::Key", DependsOn: "Budget" },
    },
    Outputs: { Id: { Value: { Ref: "Budget" } }, Arn: { Value: { Ref: "Topic" } } },
  });
  expect([...stripTemplates(out, "plain", allBut("budget"))]).toEqual([["budget", 1]]);
  expect(read(out, "shop.template.json")).toEqual({
    Resources: {
      Topic: { Type: "AWS::SNS::Topic", DependsOn: ["Key"] },
      Key: { Type: "AWS::KMS::Key" },
    },
    Outputs: { Arn: { Value: { Ref: "Topic" } } },
  });
  const { files } = read(out, "shop.assets.json") as { files: object };
  const [key] = Object.keys(files);
  expect(key).not.toBe("a".repeat(64));
  expect(read(out, "manifest.json")).toEqual({ url: `s3://assets/${key}.json` });
});

test("a strip with nothing to strip fails the forms that it is for", () => {
  const out = synthesized({ Resources: {} });
  expect(() => stripTemplates(out, "plain", allBut("leading keys"))).toThrow(
    "Nothing to strip for: leading keys",
  );
  stripTemplates(out, "plain", allBut("log deliveries"));
  expect(() => stripTemplates(out, "cdn", allBut("log deliveries"))).toThrow("log deliveries");
});

test("every strip has a reason and a name of its own", () => {
  expect(new Set(everyStrip).size).toBe(strips.length);
  for (const { reason } of strips) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});
