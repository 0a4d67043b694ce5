import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { accountSection } from "./account.bench.ts";
import { bundlesSection } from "./bundles.ts";
import { costsSection } from "./costs.ts";
import { coldCatalogSection } from "./cold-catalog.ts";
import { measureCatalogIndex } from "./catalog-index.bench.ts";
import { dispatchSection } from "./dispatch.ts";
import { documentsSection } from "./documents.ts";
import { exportsSection } from "./exports.ts";
import { feedsSection } from "./feeds.ts";
import { growthSection } from "./growth.ts";
import { orderCostsSection } from "./order-costs.ts";
import { orderGrowthSection } from "./order-growth.ts";
import { pairsSection } from "./pairs.ts";
import { peersSection } from "./peers.ts";
import { rebuildSection } from "./rebuild.ts";
import { type Section, divertOutput, markdown } from "./report.ts";
import { searchSection } from "./search.ts";
import { soakSection } from "./soak.ts";
import { startSection } from "./start.ts";
import { loadedSuiteSection, suiteSection } from "./suite.ts";
import { storageSection } from "./storage-section.ts";
import { wholeStackSection } from "./whole-stack.ts";

const sections: Record<string, () => Section | Promise<Section | Section[]>> = {
  storage: storageSection,
  start: startSection,
  bundles: bundlesSection,
  dispatch: dispatchSection,
  account: accountSection,
  growth: growthSection,
  cold: coldCatalogSection,
  orders: orderGrowthSection,
  documents: documentsSection,
  exports: exportsSection,
  view: viewSection,
  search: searchSection,
  rebuild: rebuildSection,
  feeds: feedsSection,
  stack: wholeStackSection,
  peers: peersSection,
  costs: async () => [await orderCostsSection(), await costsSection()],
  suite: suiteSection,
  loaded: loadedSuiteSection,
  pairs: () =>
    pairsSection(values.against ?? refuse("Name the other checkout: --against <directory>.")),
  soak: () => soakSection(Number(values.minutes)),
};
/** Slow sections, which run only if they are named. */
const onlyByName = new Set(["pairs", "peers", "soak", "rebuild", "feeds", "suite", "loaded"]);

/**
 * Prints the named sections, or all, as Markdown; with `--json` as one JSON document. `--pictures <directory>`
 * writes the sections' pictures there as SVG; `--minutes` is the duration of the soak, `--against` the checkout that the
 * pairs compare this one with.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    pictures: { type: "string" },
    against: { type: "string" },
    minutes: { type: "string", default: "10" },
  },
});
const unknown = positionals.find((name) => !(name in sections));
if (unknown !== undefined) {
  refuse(`There is no section ${unknown}. The sections are: ${Object.keys(sections).join(", ")}.`);
}
// What the measured functions log must not stand before the document.
const print = values.json ? divertOutput() : undefined;
const machine = {
  node: process.version,
  v8: process.versions.v8,
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  load: loadavg()[0] ?? 0,
};
if (!values.json) {
  const { node, processor, cores, load } = machine;
  console.log(
    `# Bench\n\nNode ${node} on ${cores} × ${processor}, load ${load.toFixed(1)} when it began. Counts are exact. ` +
      "Compare a time only with the floor in the same row, which was measured in the same run.\n",
  );
}
const measured: Omit<Section, "pictures">[] = [];
for (const [name, measure] of Object.entries(sections)) {
  const isAsked = positionals.length === 0 ? !onlyByName.has(name) : positionals.includes(name);
  if (!isAsked) continue;
  for (const { pictures = {}, ...section } of [await measure()].flat()) {
    measured.push(section);
    if (!values.json) console.log(markdown(section));
    for (const [file, svg] of Object.entries(values.pictures === undefined ? {} : pictures)) {
      mkdirSync(values.pictures ?? ".", { recursive: true });
      writeFileSync(join(values.pictures ?? ".", file), svg);
    }
  }
}
print?.(`${JSON.stringify({ machine, sections: measured }, null, 2)}\n`);
process.exit(0);

function refuse(problem: string): never {
  console.error(problem);
  process.exit(1);
}

function viewSection(): Section {
  const rows = measureCatalogIndex([100, 10_000, 50_000]);
  return {
    title: "Catalog view",
    note: "CPU microseconds of the index in memory, without HTTP and storage.",
    columns: ["cards", "what", "µs"],
    rows: rows.map(({ cards, what, us }) => [cards, what, us]),
  };
}
