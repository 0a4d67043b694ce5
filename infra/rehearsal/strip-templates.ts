import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type DeploymentForm, type Strip, type Template, strips } from "./strips.ts";

/**
 * Removes from a synthesized app what MiniStack lacks.
 *
 * @param out directory of the app, such as `cdk.out`
 * @param except names of strips that are not applied
 * @returns how many places each strip has changed
 * @throws Error naming the strips that had nothing to change: MiniStack may have learnt it, or the app changed
 */
export function stripTemplates(
  out: string,
  form: DeploymentForm,
  except: readonly string[] = [],
): ReadonlyMap<string, number> {
  const applied = strips.filter(({ name }) => !except.includes(name));
  const counts = new Map(applied.map(({ name }) => [name, 0]));
  for (const file of globSync("*.template.json", { cwd: out })) {
    const stack = basename(file, ".template.json");
    const before = readFileSync(join(out, file), "utf8");
    const template = JSON.parse(before) as Template;
    for (const strip of applied) {
      counts.set(strip.name, counts.get(strip.name)! + strip.apply(template, stack));
    }
    replaceTemplate(out, stack, JSON.stringify(template));
  }
  const isDue = ({ form: first }: Strip) => first === "plain" || form === "cdn";
  const needless = applied.filter((strip) => isDue(strip) && counts.get(strip.name) === 0);
  if (needless.length > 0) {
    throw new Error(`Nothing to strip for: ${needless.map(({ name }) => name).join(", ")}`);
  }
  return counts;
}

/** Writes a template. The CLI does not upload an asset whose key exists, so it also gets the key of its content. */
function replaceTemplate(out: string, stack: string, text: string): void {
  const template = `${stack}.template.json`;
  writeFileSync(join(out, template), text);
  const assets = join(out, `${stack}.assets.json`);
  const { files } = JSON.parse(readFileSync(assets, "utf8")) as {
    files: Record<string, { source: { path: string } }>;
  };
  const key = Object.keys(files).find((key) => files[key]!.source.path === template)!;
  const newKey = createHash("sha256").update(text).digest("hex");
  for (const file of [assets, join(out, "manifest.json")]) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(key, newKey));
  }
}
