/** Removes duplicate changes. */
export function distinct<Change extends object>(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
