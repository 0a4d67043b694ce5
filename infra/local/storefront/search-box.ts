import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { count, money } from "./format.ts";
import { hrefOf, picture } from "./goods.ts";
import { type View, view } from "./page.ts";
import { address, navigate } from "./router.ts";
import { answerOf, shop } from "./shop.ts";

const debounceMs = 150;
const searchFor = (words: string): string => `/search?${new URLSearchParams({ q: words }).toString()}`;

type Suggestion = readonly [href: string, label: string, detail: string, image?: Schemas["PublicPicture"] | null];

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
    const ask = () => answerOf(shop.GET("/api/v1/search/suggest", { params: { query: { q } } }));
    let show = ({ data }: { data: Schemas["SearchSuggest"] }) => setFound(data);
    const timer = setTimeout(() => ask().then((answer) => show(answer), close), debounceMs);
    return () => {
      show = () => {};
      clearTimeout(timer);
    };
  }, [text]);

  const { queries = [], categories = [], cards = [] } = found ?? {};
  const links: readonly Suggestion[] = [
    ...queries.map((words): Suggestion => [searchFor(words), words, ""]),
    ...categories.map((it): Suggestion => [`/search?${it.kind}=${it.slug}`, it.name, count(it.count, "piece")]),
    ...cards.map((card): Suggestion => [hrefOf(card), card.name, money(card.price, card.currency), card.image]),
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
              ([href, label, detail, image]) => view`
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
