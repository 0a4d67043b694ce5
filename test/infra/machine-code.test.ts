import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { families } from "#functions/families.ts";
import { checkMachineCode } from "#infra/cloud/machine-code.ts";

const { arch } = process;
const pictures = {
  loader: "sharp",
  here: ["@img/sharp-darwin-arm64", "@img/sharp-libvips-darwin-arm64"],
  lambdas: [`@img/sharp-linux-${arch}`, `@img/sharp-libvips-linux-${arch}`],
};
const passwords = {
  loader: "@node-rs/argon2",
  here: ["@node-rs/argon2-darwin-arm64"],
  lambdas: [`@node-rs/argon2-linux-${arch}-gnu`],
};
const loading = [
  ["on-change-media", pictures],
  ["on-change-inbox-files", pictures],
  ["account", passwords],
  ["admin-auth", passwords],
] as const;

function functionOf(name: string) {
  const found = [...families, ...consumers].find((each) => each.name === name);
  if (!found) throw new Error(`There is no function ${name}`);
  return found;
}

/** The folder of a function that was bundled where npm installed these beside what loads them. */
function bundledWith({ loader, lambdas }: typeof pictures, installed: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "machine-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const each of [loader, ...installed]) {
    mkdirSync(join(folder, "node_modules", each), { recursive: true });
  }
  const versions = Object.fromEntries(lambdas.map((each) => [each, "1.2.3"]));
  writeFileSync(
    join(folder, "node_modules", loader, "package.json"),
    JSON.stringify({ optionalDependencies: versions }),
  );
  return folder;
}

test.each(loading)(
  "%s is not deployed without machine code for Lambda, and the error says how to get it",
  (name, packages) => {
    const folder = bundledWith(packages, packages.here);
    const missing = packages.lambdas.map((each) => `${each}@1.2.3`).join(" ");
    expect(() => checkMachineCode(functionOf(name), folder)).toThrow(
      `npm install --no-save --force ${missing}`,
    );
  },
);

test.each(loading)("%s is deployed from any machine that has it", (name, packages) => {
  const folder = bundledWith(packages, [...packages.here, ...packages.lambdas]);
  expect(() => checkMachineCode(functionOf(name), folder)).not.toThrow();
});
