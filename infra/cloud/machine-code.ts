import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeployedFunction } from "#functions/deployed-function.ts";

/**
 * npm installs machine code for the machine that it runs on: that of a Mac or of Alpine is no good in Lambda.
 *
 * @param folder the function's, inside the directory that `bundle` filled
 * @throws Error that says how to get what the function would miss in Lambda
 */
export function checkMachineCode(
  { name, packages = [] }: Pick<DeployedFunction, "name" | "packages">,
  folder: string,
): void {
  if (!packages.includes("sharp")) return;
  const installed = join(folder, "node_modules");
  const wanted = [`@img/sharp-linux-${process.arch}`, `@img/sharp-libvips-linux-${process.arch}`];
  const absent = wanted.filter((each) => !existsSync(join(installed, each)));
  if (absent.length === 0) return;
  const { optionalDependencies: versions } = JSON.parse(
    readFileSync(join(installed, "sharp/package.json"), "utf8"),
  ) as { optionalDependencies: Record<string, string> };
  throw new Error(
    `${name} would find no machine code of Lambda's. Get it before: npm install --no-save --force ` +
      absent.map((each) => `${each}@${versions[each]}`).join(" "),
  );
}
