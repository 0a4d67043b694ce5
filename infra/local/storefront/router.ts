import { signal } from "@preact/signals";

/** The address that is shown. */
export const address = signal(new URL(location.href));

/** @param how `replace` changes the present entry of the history, as a filter does */
export function navigate(to: string, how: "push" | "replace" = "push"): void {
  const next = new URL(to, address.value);
  const isSamePage = next.pathname === address.value.pathname;
  if (how === "push") history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  address.value = next;
  if (isSamePage && how === "replace") return;
  scrollTo(0, 0);
  document.querySelector("main")?.focus({ preventScroll: true });
}

/** Follows links inside the shop without loading the document again. */
export function followLinks(): void {
  addEventListener("popstate", () => (address.value = new URL(location.href)));
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || link.target !== "") return;
    if (link.origin !== location.origin || /^\/(?:api|docs|media)\//.test(link.pathname)) return;
    // The browser itself goes to a part of this page.
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** @returns the values of `:name` in the pattern; undefined if the path does not match */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split("/");
  const segments = path.replace(/(?<=.)\/$/, "").split("/");
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}
