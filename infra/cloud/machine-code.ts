import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeployedFunction } from "#functions/deployed-function.ts";

/** The packages that hold the machine code of others, as Lambda's Linux needs it, by the package that loads them. */
const lambdas: Readonly<Record<string, readonly string[]>> = {
  sharp: [`@img/sharp-linux-${process.arch}`, `@img/sharp-libvips-linux-${process.arch}`],
  "@node-rs/argon2": [`@node-rs/argon2-linux-${process.arch}-gnu`],
};

/**
 * npm installs machine code for the machine that it runs on: that of a Mac or of Alpine does not run in Lambda.
 *
 * @param folder the function's, inside the directory that `bundle` filled
 * @throws Error that says how to get what the function would miss in Lambda
 */
export function checkMachineCode(
  { name, packages = [] }: Pick<DeployedFunction, "name" | "packages">,
  folder: string,
): void {
  const installed = join(folder, "node_modules");
  const absent = packages.flatMap((loader) =>
    (lambdas[loader] ?? [])
      .filter((each) => !existsSync(join(installed, each)))
      .map((each) => `${each}@${versionOf(each, join(installed, loader))}`),
  );
  if (absent.length === 0) return;
  throw new Error(
    `${name} would find no machine code of Lambda's. Get it before: npm install --no-save --force ` +
      absent.join(" "),
  );
}

/** The version of a package that the one in this folder loads. */
function versionOf(name: string, loader: string): string | undefined {
  const { optionalDependencies: versions } = JSON.parse(
    readFileSync(join(loader, "package.json"), "utf8"),
  ) as { optionalDependencies: Record<string, string> };
  return versions[name];
}
