import { useState } from "preact/hooks";
import type { Schemas } from "furniture-storefront-client";
import { cart, chooseSlot, destination, loadCart, place } from "../cart.ts";
import { day, money, span } from "../format.ts";
import { Form, postalCodeField } from "../forms.ts";
import { type View, loaded, useAnswer, view } from "../page.ts";
import { answerOf, explain, shop } from "../shop.ts";
import { choices } from "./product.ts";

type Method = Schemas["ShippingMethodCode"];
type Offer = Schemas["ShippingQuote"]["methods"][number];

/** The ways of delivery. Other goods or another place have others. */
export const useQuote = () =>
  useAnswer(
    () => shop.GET("/api/v1/shipping/quote", { params: { query: place() } }),
    [destination.value.postal_code, cart.value?.totals.items_subtotal],
  );

/** Where to, how, and when: the total depends on it. Cart and checkout share it. */
export function Delivery(): View {
  const { postal_code } = destination.value;
  const submit = async ({ postal_code }: { postal_code: string }) => {
    const query = place({ postal_code });
    const { data } = await answerOf(shop.GET("/api/v1/shipping/quote", { params: { query } }));
    const method = data.methods[0]?.code;
    destination.value = { postal_code, ...(method && { shipping_method: method }) };
    await loadCart();
  };
  return view`
    <section class="delivery">
      <h2>Delivery</h2>
      <${Form} button=${postal_code ? "Change" : "See delivery"} submit=${submit}>${postalCodeField(postal_code)}<//>
      ${postal_code && view`<${Methods} />`}
    </section>`;
}

function Methods(): View {
  const chosen = destination.value.shipping_method;
  const choose = async (shipping_method: Method) => {
    destination.value = { ...destination.value, shipping_method };
    await loadCart();
  };
  const option = ({ code, label, amount, eta, includes }: Offer, currency: string) => ({
    name: "shipping_method",
    code,
    label: `${label}, ${amount === 0 ? "free" : money(amount, currency)}`,
    detail: `${span(eta)}. ${includes.join(". ")}.`,
    swatch: null,
    checked: code === chosen,
    choose: () => void choose(code),
  });
  return loaded(useQuote(), ({ data: { serviceable, methods, currency } }) =>
    serviceable
      ? view`
        ${choices(
          "How",
          methods.map((method) => option(method, currency)),
        )}
        ${chosen && view`<${Slots} key=${chosen} method=${chosen} />`}`
      : view`<p class="problem">We do not deliver this there yet. Try another PIN code, or <a href="/contact">write to us</a>.</p>`,
  );
}

function Slots({ method }: { method: Method }): View {
  const query = { ...place(), shipping_method: method };
  const answer = useAnswer(() => shop.GET("/api/v1/shipping/slots", { params: { query } }), [query.postal_code]);
  const slot = cart.value?.slot ?? null;
  if (answer.data?.data.days.length === 0) return null;
  return [
    loaded(answer, ({ data }) => view`<${SlotPicker} days=${data.days} chosen=${slot} choose=${chooseSlot} />`),
    slot &&
      view`<p role="status" class="hint">${day(slot.date, "long")}, ${slot.label}, is kept for you for 15 minutes.</p>`,
  ];
}

const shownDays = 6;

interface Picker {
  days: Schemas["SlotCalendar"]["days"];
  chosen: Schemas["ChosenSlot"] | null;
  choose: (time: Schemas["ChosenSlot"]) => Promise<unknown>;
}

/** The free times of the first days. A time that somebody else has just taken is refused with a sentence. */
export function SlotPicker({ days, chosen, choose }: Picker): View {
  const [problem, setProblem] = useState("");
  const [shown, setShown] = useState(shownDays);
  const pick = async (time: Schemas["ChosenSlot"]) => {
    setProblem("");
    await choose(time).catch((refused: unknown) => setProblem(explain(refused)));
  };
  const button = (date: string, { code, label, available }: Picker["days"][number]["windows"][number]) => {
    const isChosen = chosen?.date === date && chosen.window === code;
    return view`
      <button key=${code} type="button" aria-pressed=${isChosen} aria-label="${day(date, "long")}, ${label}"
        disabled=${!available && !isChosen} onClick=${() => pick({ date, window: code })}>${label}</button>`;
  };
  const row = ({ date, windows }: Picker["days"][number]) =>
    view`<div key=${date}><b>${day(date)}</b>${windows.map((each) => button(date, each))}</div>`;
  return view`
    <fieldset class="slots">
      <legend>When</legend>
      ${days.slice(0, shown).map(row)}
      ${
        days.length > shown &&
        view`<button type="button" class="plain" onClick=${() => setShown(days.length)}>Later days</button>`
      }
      ${problem && view`<p role="alert" class="error">${problem}</p>`}
    </fieldset>`;
}
