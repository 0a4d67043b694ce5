/** A value that is made when it is first asked for: bundles hold every computed constant of our own modules so. */
export function late<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Makes a member of an object what its getter gave. */
export function kept<Value>(of: object, name: string, value: Value): Value {
  Object.defineProperty(of, name, { value });
  return value;
}
