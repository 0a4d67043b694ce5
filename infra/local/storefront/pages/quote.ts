import { loadCart } from "../cart.ts";
import { day, money } from "../format.ts";
import { Action } from "../forms.ts";
import { line, units } from "../goods.ts";
import { type View, usePage, view } from "../page.ts";
import { address, navigate } from "../router.ts";
import { answerOf, shop } from "../shop.ts";
import { totals } from "./cart.ts";

/** The offer that a letter links to. Accepting it fills a cart with its prices. */
export function Quote({ id = "" }): View {
  const token = address.value.searchParams.get("token") ?? "";
  const path = { id };
  const sent = { params: { path }, body: { token } };
  const accept = async () => {
    await answerOf(shop.POST("/api/v1/quotes/{id}/accept", sent));
    await loadCart();
    navigate("/cart");
  };
  return usePage(
    () => shop.GET("/api/v1/quotes/{id}", { params: { path, query: { token } } }),
    "Quote",
    ({ data: { reference, status, name, valid_until, items, currency, ...offer } }, again) => {
      const decline = () => answerOf(shop.POST("/api/v1/quotes/{id}/decline", sent)).then(again);
      return view`
        <h1>Quote ${reference}</h1>
        <p>For ${name}${valid_until && `, until ${day(valid_until, "long")}`}</p>
        <ul class="lines">
          ${items.map((item) =>
            line({ ...item, name: units(item), amount: money(item.line_total, currency), more: item.description }),
          )}
        </ul>
        ${totals({ ...offer, currency })}
        ${
          status === "sent" || status === "accepted"
            ? view`<p>
                <${Action} kind="primary" label="Accept it" run=${accept} />
                ${" "}<${Action} label="No, thank you" run=${decline} />
              </p>`
            : view`<p class="notice">This offer is ${status}.</p>`
        }`;
    },
  );
}
