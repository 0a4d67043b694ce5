/** The kinds of records that other records may refer to. */
export type ReferredKind =
  | "product"
  | "sofa"
  | "story"
  | "faq_group"
  | "material"
  | "category"
  | "collection"
  | "room"
  | "style"
  | "page"
  | "tax_class"
  | "redirect_host";

/** A reference to another record, and its path in the referring record. */
export interface RecordReference {
  readonly kind: ReferredKind | "picture" | "link";
  /**
   * The id of the referenced record; for some kinds its slug or code, for a picture its address, for a link its whole
   * `href`, which may lead to no record.
   */
  readonly id: string;
  readonly path: string;
}

/** The references of a list at this path to products and sofas, by their ids. */
export const sellablesAt = (path: string, ids: readonly string[]): RecordReference[] =>
  ids.map((id, index) => ({
    path: `${path}.${index}`,
    kind: id.startsWith("sofa_") ? "sofa" : "product",
    id,
  }));

/** The references of links to what they lead to, each at the path of its link. */
export const linkReferences = (
  links: readonly { readonly path: string; readonly href: string }[],
): RecordReference[] => links.map(({ path, href }) => ({ path, kind: "link", id: href }));

const nameOf = ({ kind, id }: RecordReference) => `${kind} ${id}`;

/** The new references of a record. Existing references may point to deleted records and need no repair. */
export function newReferences(
  before: readonly RecordReference[],
  after: readonly RecordReference[],
): RecordReference[] {
  const known = new Set(before.map(nameOf));
  return after.filter((reference) => !known.has(nameOf(reference)));
}
