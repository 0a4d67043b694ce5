import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";

/**
 * Takes each declared effect away from each test file in turn. A file that still passes does not need the effect, or
 * proves nothing about it. Prints these files, and exits with 1 if there are any.
 *
 * Usage: npm run effects [-- <file>…]
 */
const waitMs = 180_000;

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync("test/{api,e2e}/**/*.test.ts").toSorted();
let needless = 0;

for (const file of files) {
  for (const effect of effectsIn(readFileSync(file, "utf8"))) {
    if (!(await passesWithout(file, effect))) continue;
    needless++;
    console.log(`${file} passes without "${effect}"`);
  }
}
process.exitCode = needless > 0 ? 1 : 0;

/** The effects that a file declares, as its text names them. */
function effectsIn(text: string): string[] {
  const lists = [...text.matchAll(/effects: \[([^\]]*)\]/g)].map(([, list = ""]) => list);
  return [...new Set(lists.flatMap((list) => list.match(/[\w-]+/g) ?? []))];
}

async function passesWithout(file: string, effect: string): Promise<boolean> {
  const vitest = ["run", "--config", "test/vitest.config.ts", "--bail", "1", file];
  const child = spawn("vitest", vitest, {
    stdio: "ignore",
    // A file that waits for another effect in vain does not pass either.
    timeout: waitMs,
    env: { ...process.env, WITHOUT_EFFECT: effect },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}
