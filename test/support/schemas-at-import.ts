import { execFileSync } from "node:child_process";

const countingImport =
  "let built = 0; globalThis.__zod_globalConfig = { postProcessor() { built += 1; } };" +
  "require(process.argv[1]); process.stdout.write(String(built));";

/** How many of zod's schemas and checks a bundle builds while it is imported, as zod's own hook counts them. */
export const schemasAtImport = (file: string): number =>
  Number(execFileSync(process.execPath, ["-e", countingImport, file]));
