import { demoCatalogEntries } from "#infra/local/demo/catalog-entries.ts";

/** The entries of the demo shop. */
export const demoEntries = await demoCatalogEntries(new Date("2026-11-21T09:00:00.000Z"));
type DemoEntry = (typeof demoEntries)[number];

/** The demo shop's entries, repeated under coined names up to this number. */
export function manyEntries(size: number): DemoEntry[] {
  return Array.from({ length: size }, (_, at) => {
    const entry = demoEntries[at % demoEntries.length]!;
    if (at < demoEntries.length) return entry;
    const word = at.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? digit);
    const name = `${word} ${entry.text.name.split(" ").slice(1).join(" ")}`;
    const card = {
      ...entry.card,
      id: `${entry.card.id}${at}`,
      slug: `${entry.card.slug}-${at}`,
      name,
    };
    return { ...entry, card, text: { ...entry.text, name } };
  });
}
