import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { checkMachineCode } from "#infra/cloud/machine-code.ts";

const media = consumers.find(({ name }) => name === "on-change-media");
if (!media) throw new Error("Nobody makes pictures");
const lambdas = [`@img/sharp-linux-${process.arch}`, `@img/sharp-libvips-linux-${process.arch}`];

/** The folder of a function that was bundled where npm installed these for sharp. */
function bundledWith(installed: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "machine-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const each of ["sharp", ...installed]) {
    mkdirSync(join(folder, "node_modules", each), { recursive: true });
  }
  const versions = Object.fromEntries(lambdas.map((each) => [each, "1.2.3"]));
  writeFileSync(
    join(folder, "node_modules/sharp/package.json"),
    JSON.stringify({ optionalDependencies: versions }),
  );
  return folder;
}

test("pictures are not deployed without machine code for Lambda, and it is said how to get it", () => {
  const folder = bundledWith(["@img/sharp-darwin-arm64", "@img/sharp-libvips-darwin-arm64"]);
  const command = `npm install --no-save --force ${lambdas.map((each) => `${each}@1.2.3`).join(" ")}`;
  expect(() => checkMachineCode(media, folder)).toThrow(command);
});

test("pictures are deployed from any machine that has it", () => {
  const folder = bundledWith(["@img/sharp-darwin-arm64", ...lambdas]);
  expect(() => checkMachineCode(media, folder)).not.toThrow();
});
