/**
 * Memoizes a function of names, such as a format per timezone: building one takes twenty times as long as using it.
 * The names come from the shop's settings, and are few.
 */
export function memoized<Names extends readonly string[], Made>(
  make: (...names: Names) => Made,
): (...names: Names) => Made {
  const known = new Map<string, Made>();
  return (...names) => {
    const key = names.join(" ");
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const made = make(...names);
    known.set(key, made);
    return made;
  };
}
