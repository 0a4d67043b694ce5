/** What the routes of all publishable records of the catalog have in common. */
export const catalogPermissions = {
  view: "catalog.view",
  edit: "catalog.edit",
  delete: "catalog.delete",
} as const;

/** The description of their DELETE. */
export const archives =
  "Archives it if it was ever published; deletes a draft that was never published.";
