/** A free map in the order of its names: storage gives its members in any, and equal answers are to be equal bytes. */
export function inKeyOrder<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
