import { parseArgs } from "node:util";
import { accountSection } from "./account.bench.ts";
import { bundlesSection } from "./bundles.ts";
import { costsSection } from "./costs.ts";
import { measureCatalogView } from "./catalog-view.bench.ts";
import { dispatchSection } from "./dispatch.ts";
import { growthSection } from "./growth.ts";
import { type Section, markdown } from "./report.ts";
import { storageSection } from "./storage-section.ts";
import { wholeStackSection } from "./whole-stack.ts";

const sections: Record<string, () => Section | Promise<Section>> = {
  storage: storageSection,
  bundles: bundlesSection,
  dispatch: dispatchSection,
  account: accountSection,
  growth: growthSection,
  view: viewSection,
  stack: wholeStackSection,
  costs: costsSection,
};

/** Prints the named sections, or all, as Markdown; with `--json` as one JSON document. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !(name in sections));
if (unknown !== undefined) {
  console.error(`There is no section ${unknown}. There are: ${Object.keys(sections).join(", ")}.`);
  process.exit(1);
}
const measured: Section[] = [];
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const section = await measure();
  measured.push(section);
  if (!values.json) console.log(markdown(section));
}
if (values.json) console.log(JSON.stringify(measured, null, 2));
process.exit(0);

function viewSection(): Section {
  const rows = measureCatalogView([100, 10_000, 50_000]);
  return {
    title: "Catalog view",
    note: "CPU microseconds of the view in memory by itself.",
    columns: ["cards", "what", "µs"],
    rows: rows.map(({ cards, what, us }) => [cards, what, us]),
  };
}
