/** Sorts a map by key: storage returns members in any order, and equal responses must have equal bytes. */
export function inKeyOrder<Value>(map: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
