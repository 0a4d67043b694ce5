import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Noun,
  domainFile,
  publicRoutesFile,
  sampleOf,
  staffFile,
  storageFile,
  testFile,
} from "./noun/templates.ts";

const usage =
  "Usage: npm run noun -- <content|catalog> <noun, such as gift-registry> <its plural, such as gift-registries> " +
  "(--slug [--public] | --prefix <prefix of its ids>) [--pictures] [--products] [--hidden]";
const root = join(import.meta.dirname, "../..");

/** Reads the noun from the command line. @throws RangeError with a message for the developer */
function nounFrom(args: readonly string[]): Noun {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      slug: { type: "boolean", default: false },
      prefix: { type: "string" },
      public: { type: "boolean", default: false },
      pictures: { type: "boolean", default: false },
      products: { type: "boolean", default: false },
      hidden: { type: "boolean", default: false },
    },
  });
  const [family = "", file = "", many = "", ...others] = positionals;
  const areNames = [file, many].every((name) => /^[a-z]+(?:-[a-z]+)*$/.test(name));
  if (!["content", "catalog"].includes(family) || !areNames || file === many || others.length > 0)
    throw new RangeError(usage);
  const { slug, prefix } = values;
  const isKeyed = slug ? prefix === undefined : /^[a-z]{2,5}$/.test(prefix ?? "") && !values.public;
  if (!isKeyed) throw new RangeError(usage);
  const wordsOf = (name: string) => name.replaceAll("-", " ");
  const typeOf = (name: string) =>
    name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return {
    family,
    file,
    many,
    entity: file.replaceAll("-", "_"),
    type: typeOf(file),
    manyType: typeOf(many),
    words: wordsOf(file),
    manyWords: wordsOf(many),
    prefix,
    pictures: values.pictures,
    products: values.products,
    hidden: values.hidden,
    isPublic: values.public,
  };
}

/** The new files of a noun, by their paths. */
function newFiles(noun: Noun): Readonly<Record<string, string>> {
  const { family, file, many, isPublic } = noun;
  return {
    [`shared/domain/${family}/${file}.ts`]: domainFile(noun),
    [`shared/storage/${family}/${many}.ts`]: storageFile(noun),
    [`functions/admin-${family}/${many}.ts`]: staffFile(noun),
    ...(isPublic && { [`functions/${family}/${many}.ts`]: publicRoutesFile(noun) }),
    [`test/api/admin/${family}/${many}.test.ts`]: testFile(noun),
  };
}

interface Edit {
  readonly path: string;
  /** The place of `line`: before the first match, instead of it, or after the last match. */
  readonly at: RegExp;
  readonly where: "before" | "instead" | "after";
  readonly line: string | ((match: string) => string);
  /** Whether an earlier noun may have added some of the lines. */
  readonly isShared?: true;
}

/** The lines by which the rest of the service knows the noun. */
function edits(noun: Noun): readonly Edit[] {
  const { family, file, many, manyType, entity, prefix, words, isPublic } = noun;
  /** At the end of the list of a family's resources. */
  const resourceOf = (name: string): Edit => ({
    path: "functions/families.ts",
    at: new RegExp(`(?<=name: "${name}",\\s+resources: \\[[^\\]]*"),?(?=\\s*\\])`),
    where: "instead",
    line: `, "${many}"`,
  });
  const plant = "infra/local/demo/plant.ts";
  const ids = {
    path: "shared/domain/base/ids.ts",
    at: /^\} as const;$/m,
    where: "before",
    line: `  ${prefix}: "${words}",\n`,
  } as const;
  // Every record that not every visitor may read is either in the export of a customer's data or left out of it.
  const forStaff: readonly Edit[] = [
    {
      path: "test/unit/storage/customer-export.test.ts",
      at: /^ {4}"alert_wave",\n/m,
      where: "before",
      line: `    "${entity}",\n`,
    },
  ];
  const forPublic: readonly Edit[] = [
    resourceOf(family),
    // Tests read a record of each public route in the demo shop.
    {
      path: plant,
      at: /^import [^;]*;\n/gm,
      where: "after",
      isShared: true,
      line:
        'import { newRow } from "#shared/application/record-store.ts";\n' +
        `import { ${sampleOf(noun)} } from "#shared/domain/${family}/${file}.ts";\n` +
        `import { ${manyType} } from "#shared/storage/${family}/${many}.ts";\n`,
    },
    {
      path: plant,
      at: /^ {4}changeFaqs\(/m,
      where: "before",
      line: `    [put(${manyType}, newRow(${sampleOf(noun)}, now))],\n`,
    },
  ];
  return [
    resourceOf(`admin-${family}`),
    ...(isPublic ? forPublic : forStaff),
    ...(prefix === undefined ? [] : [ids]),
  ];
}

/** @throws RangeError if the file has no such place, because it has changed */
function edited(
  content: string,
  { path, at, where }: Edit,
  lineOf: (match: string) => string,
): string {
  const matches = [...content.matchAll(new RegExp(at, at.flags.replace("g", "") + "g"))];
  const match = where === "after" ? matches.at(-1) : matches[0];
  if (!match) throw new RangeError(`${path} has no place that matches ${at.source}`);
  const end = match.index + match[0].length;
  const from = where === "after" ? end : match.index;
  const to = where === "before" ? match.index : end;
  return content.slice(0, from) + lineOf(match[0]) + content.slice(to);
}

async function run(): Promise<void> {
  const noun = nounFrom(process.argv.slice(2));
  const files = newFiles(noun);
  const taken = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new RangeError(`${taken} exists already.`);
  const changed = new Map<string, string>();
  for (const edit of edits(noun)) {
    const { path, line, isShared } = edit;
    const content = changed.get(path) ?? (await readFile(join(root, path), "utf8"));
    const missing = (text: string) =>
      text
        .split(/(?<=\n)/)
        .filter((each) => isShared !== true || !content.includes(each))
        .join("");
    const lineOf = typeof line === "string" ? () => missing(line) : line;
    changed.set(path, edited(content, edit, lineOf));
  }
  const all = { ...files, ...Object.fromEntries(changed) };
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
    console.log(`Written: ${path}`);
  }
  const paths = Object.keys(all);
  execFileSync(join(root, "node_modules/.bin/oxfmt"), paths, { cwd: root, stdio: "ignore" });
  // In a process of its own, because this one has loaded the modules as they were.
  execFileSync(process.execPath, ["infra/generated/generate.ts", "keys", "entries"], {
    cwd: root,
    stdio: "inherit",
  });
  console.log(
    `Next: write what is particular to ${noun.manyWords}, then npm run check, and ` +
      `npm run generate grants -- test/api/admin/${noun.family}/${noun.many}.test.ts`,
  );
}

try {
  await run();
} catch (problem) {
  console.error(problem instanceof Error ? problem.message : problem);
  process.exitCode = 1;
}
