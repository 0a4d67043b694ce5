/**
 * The names of an object's members. The object must have at least one member, and no members besides those of its type.
 */
export const namesOf = <Of extends object>(of: Of) =>
  // TypeScript types the names as strings, because a value may have members that its type does not declare.
  Object.keys(of) as [keyof Of & string, ...(keyof Of & string)[]];

/**
 * The members of an object as pairs of name and value; absent members are left out. The object must have no members
 * besides those of its type.
 */
export const membersOf = <Of extends object>(of: Of) =>
  // TypeScript types the names as strings here too.
  Object.entries(of) as [keyof Of & string, NonNullable<Of[keyof Of]>][];

/** Sorts a map by key: storage returns members in any order, and equal responses must have equal bytes. */
export function inKeyOrder<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
