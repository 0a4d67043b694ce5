import htm from "htm";
import { type ComponentChildren, type VNode, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { address } from "./router.ts";
import { Refusal, type Result, answerOf, explain } from "./shop.ts";

/** Markup, as Preact draws it: plain HTML with values in it. Components are written `<${Form} …>`. */
export const view = htm.bind(h as (type: string, props: object | null) => VNode);

export type View = ComponentChildren;

export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – Dehleez`;
  }, [title]);
}

export interface Answer<Data> {
  /** The last answer, also while the next one is on its way. */
  readonly data?: Data | undefined;
  readonly problem?: unknown;
  readonly busy: boolean;
  readonly again: () => void;
}

/** Calls the shop when the page is shown, and again whenever an input changes. */
export function useAnswer<Data>(call: () => Promise<Result<Data>>, inputs: readonly unknown[] = []): Answer<Data> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<Answer<Data>, "again">>({ busy: true });
  useEffect(() => {
    let isCurrent = true;
    setState(({ data }) => ({ data, busy: true }));
    answerOf(call()).then(
      (data) => isCurrent && setState({ data, busy: false }),
      (problem: unknown) => isCurrent && setState({ problem, busy: false }),
    );
    return () => void (isCurrent = false);
  }, [round, ...inputs]);
  return { ...state, again: () => setRound((last) => last + 1) };
}

/** A page that shows the answer of one call. @param title of the window: a text, or what the answer says */
export function usePage<Data>(
  call: () => Promise<Result<Data>>,
  title: string | ((data: Data) => string),
  show: (data: Data, again: () => void) => View,
): View {
  const answer = useAnswer(call);
  useTitle(typeof title === "string" ? title : answer.data && title(answer.data));
  return loaded(answer, (data) => show(data, answer.again));
}

/** Shows what was answered, that an answer is on its way, or why there is none. */
export function loaded<Data>(answer: Answer<Data>, show: (data: Data) => View): View {
  const { data, problem, busy, again } = answer;
  if (data !== undefined) return view`<div aria-busy=${busy}>${show(data)}</div>`;
  if (problem === undefined) return view`<p class="loading" role="status">One moment …</p>`;
  const status = problem instanceof Refusal ? problem.status : 0;
  if (status === 404) return notFound;
  const back = `/sign-in?${new URLSearchParams({ next: address.value.pathname }).toString()}`;
  return view`
    <section class="notice" role="alert">
      <h1>${status === 401 ? "Please sign in" : "That did not work"}</h1>
      <p>${explain(problem)}</p>
      ${
        status === 401
          ? view`<a class="primary" href=${back}>Sign in</a>`
          : view`<button type="button" class="primary" onClick=${again}>Try again</button>`
      }
    </section>`;
}

export const notFound = view`
  <section class="notice">
    <h1>Nothing lives here</h1>
    <p>The page has moved, or was never built.</p>
    <p><a href="/search">See all furniture</a> or <a href="/">go to the front page</a>.</p>
  </section>`;
