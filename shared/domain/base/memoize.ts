/**
 * Memoizes a function by its string arguments, such as a date format by timezone: building a format takes twenty times
 * as long as using it. The cache is unbounded, so the arguments must have few values, such as those of the shop's settings.
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
