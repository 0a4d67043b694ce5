import type { PublicationAction } from "#shared/domain/base/publication-schedule.ts";
import { Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import { Pages, Stories } from "#shared/storage/content/content.ts";
import { DuePublications, listDuePublications } from "#shared/storage/content/due-publications.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";

/** Moves a publication time of a record into the past, so that the scheduled function acts on it now. */
export async function letTimeCome(
  table: Table,
  id: string,
  action: PublicationAction,
): Promise<void> {
  const rows = await listDuePublications(table, new Date("2100-01-01"), 1_000);
  const row = rows.find((each) => each.id === id && each.action === action);
  if (!row) throw new Error(`Nothing will ${action} ${id}`);
  const at = new Date(Date.now() - 1_000).toISOString();
  const time = action === "publish" ? { publish_at: at } : { unpublish_at: at };
  const found = async <Record>(read: Promise<Record | undefined>): Promise<Record> => {
    const record = await read;
    if (!record) throw new Error(`There is no ${id}`);
    return record;
  };
  const write = {
    page: async () => put(Pages, { ...(await found(table.get(Pages, { id }))), ...time }),
    story: async () => put(Stories, { ...(await found(table.get(Stories, { id }))), ...time }),
    homepage: async () => put(HomeDrafts, { ...(await found(table.get(HomeDrafts, {}))), ...time }),
    product: async () => put(Products, { ...(await found(table.get(Products, { id }))), ...time }),
    sofa: async () => put(Sofas, { ...(await found(table.get(Sofas, { id }))), ...time }),
  };
  await table.transact([
    await write[row.kind](),
    put(DuePublications, { ...row, set_for: at, at }),
  ]);
}
