import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { count, money } from "./format.ts";
import { hrefOf, picture } from "./goods.ts";
import { type View, view } from "./page.ts";
import { address, navigate } from "./router.ts";
import { answerOf, shop } from "./shop.ts";

const debounceMs = 150;
const searchFor = (words: string): string => `/search?${new URLSearchParams({ q: words }).toString()}`;

/** The search field. Suggestions are links below it, which the Tab key reaches and the Escape key closes. */
export function SearchBox(): View {
  const asked = address.value.searchParams.get("q") ?? "";
  const [text, setText] = useState(asked);
  const [found, setFound] = useState<Schemas["SearchSuggest"]>();
  const close = () => setFound(undefined);
  useEffect(() => {
    setText(asked);
    close();
  }, [address.value]);
  useEffect(() => {
    const q = text.trim();
    if (q === "" || q === asked) return close();
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const call = shop.GET("/api/v1/search/suggest", { params: { query: { q } } });
      const answer = await answerOf(call).catch(() => undefined);
      if (isCurrent) setFound(answer?.data);
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);

  const { queries = [], categories = [], cards = [] } = found ?? {};
  const links = [
    ...queries.map((words) => ({ href: searchFor(words), label: words, detail: "", image: null })),
    ...categories.map(({ kind, slug, name, count: goods }) => ({
      href: `/search?${kind}=${slug}`,
      label: name,
      detail: count(goods, "piece"),
      image: null,
    })),
    ...cards.map((card) => ({
      href: hrefOf(card),
      label: card.name,
      detail: money(card.price, card.currency),
      image: card.image,
    })),
  ];
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    close();
    navigate(searchFor(text.trim()));
  };
  const onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent) =>
    (currentTarget as Element).contains(relatedTarget as Node | null) || close();
  return view`
    <form role="search" onSubmit=${onSubmit} onFocusOut=${onFocusOut}
      onKeyDown=${({ key }: KeyboardEvent) => key === "Escape" && close()}>
      <input type="search" aria-label="Search the shop" autocomplete="off" placeholder="Cane chair, desk under 20k"
        value=${text} onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value)} />
      <span class="hidden" role="status">${links.length > 0 && count(links.length, "suggestion")}</span>
      ${
        links.length > 0 &&
        // Safari focuses no link on a click, so the click must not take the focus from the field.
        view`
          <ul class="suggestions" onMouseDown=${(event: Event) => event.preventDefault()}>
            ${links.map(
              ({ href, label, detail, image }) => view`
                <li key=${href}>
                  <a href=${href}>
                    ${image && picture(image, "3.5rem", { alt: "" })}<span>${label}</span> <small>${detail}</small>
                  </a>
                </li>`,
            )}
          </ul>`
      }
    </form>`;
}
