/**
 * Keeps what is made of names, such as a format of a timezone: making one takes twenty times as long as using it. The
 * names are those of the shop's settings, and few.
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
