import type { ExportRow } from "#shared/domain/export/export.ts";

/** Some rows of a file, and where it goes on; null: that was all. */
export interface Portion {
  readonly rows: readonly ExportRow[];
  readonly next: string | null;
}

/** @param after where the portion before ended; null: from the beginning */
export type ReadPortion = (after: string | null) => Promise<Portion>;

/** Rows that are read in one go. */
export const atOnce =
  (read: () => Promise<ExportRow[]>): ReadPortion =>
  async () => ({ rows: await read(), next: null });

/** The pages of a query of the table, whose keys are its positions. */
export const byPages =
  (
    read: (after: Record<string, unknown> | undefined) => Promise<{
      rows: ExportRow[];
      next: Record<string, unknown> | undefined;
    }>,
  ): ReadPortion =>
  async (after) => {
    const { rows, next } = await read(
      after === null ? undefined : (JSON.parse(after) as Record<string, unknown>),
    );
    return { rows, next: next ? JSON.stringify(next) : null };
  };

/** So many at a time of those whose names are known, by their order: what has come or gone meanwhile does not matter. */
export const byNames =
  (
    names: () => Promise<readonly string[]>,
    read: (names: readonly string[]) => Promise<ExportRow[]>,
    limit: number,
  ): ReadPortion =>
  async (after) => {
    const rest = (await names()).filter((name) => after === null || name > after);
    const asked = rest.slice(0, limit);
    const last = asked.at(-1);
    return {
      rows: asked.length > 0 ? await read(asked) : [],
      next: rest.length > limit && last !== undefined ? last : null,
    };
  };

/** One after the other. A position is the number of the section and the position in it. */
export const inTurn =
  (sections: readonly ReadPortion[]): ReadPortion =>
  async (after) => {
    const [, number = "0", inner] = after?.match(/^(\d+)(?: (.*))?$/s) ?? [];
    const section = Number(number);
    const read = sections[section];
    if (!read) throw new RangeError(`There is no section ${section}`);
    const { rows, next } = await read(inner ?? null);
    if (next !== null) return { rows, next: `${section} ${next}` };
    return { rows, next: section + 1 < sections.length ? String(section + 1) : null };
  };
