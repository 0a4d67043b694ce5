const mostRemembered = 5_000;

/** Memoizes a function of a text. When too many results are stored, all of them are dropped. */
export function remembered<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const result = make(text);
    known.set(text, result);
    return result;
  };
}
