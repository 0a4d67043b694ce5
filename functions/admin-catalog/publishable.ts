/** Shared parts of the routes of all publishable catalog records. */
export const catalogPermissions = {
  view: "catalog.view",
  edit: "catalog.edit",
  delete: "catalog.delete",
} as const;

/** Description of the DELETE routes of publishable records. */
export const archives = "Archives the record if it was ever published; otherwise deletes it.";
