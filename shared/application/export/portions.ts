import type { ExportRow } from "#shared/domain/export/export.ts";

/** Some rows of a file, and the position of the next rows; null if there are no further rows. */
export interface Portion {
  readonly rows: readonly ExportRow[];
  readonly next: string | null;
}

/** @param after the end of the previous portion; null to read from the beginning */
export type ReadPortion = (after: string | null) => Promise<Portion>;

/** Reads all rows in one portion. */
export const inOnePortion =
  (read: () => Promise<ExportRow[]>): ReadPortion =>
  async () => ({ rows: await read(), next: null });

/** Reads the pages of a table query. A position is the table key from which the next page is read. */
export const byPages =
  (
    read: (after: Record<string, unknown> | undefined) => Promise<{
      rows: ExportRow[];
      next: Record<string, unknown> | undefined;
    }>,
  ): ReadPortion =>
  async (after) => {
    const { rows, next } = await read(
      // The key that a previous portion ended with.
      after === null ? undefined : (JSON.parse(after) as Record<string, unknown>),
    );
    return { rows, next: next ? JSON.stringify(next) : null };
  };

/**
 * Reads records by known names, in batches and in the order of the names. Records that are added or deleted meanwhile
 * do not shift the position.
 */
export const byNames =
  (
    names: () => Promise<readonly string[]>,
    read: (names: readonly string[]) => Promise<ExportRow[]>,
    limit: number,
  ): ReadPortion =>
  async (after) => {
    const rest = (await names()).filter((name) => after === null || name > after);
    const batch = rest.slice(0, limit);
    const last = batch.at(-1);
    return {
      rows: batch.length > 0 ? await read(batch) : [],
      next: rest.length > limit && last !== undefined ? last : null,
    };
  };

/** Reads sections one after the other. A position is the number of a section and the position in that section. */
export const inSequence =
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
