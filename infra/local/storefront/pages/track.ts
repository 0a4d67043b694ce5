import { words } from "../format.ts";
import { field } from "../forms.ts";
import { line, units } from "../goods.ts";
import { type View, usePage, view } from "../page.ts";
import { navigate } from "../router.ts";
import { shop } from "../shop.ts";
import { promise, timeline } from "./order.ts";
import { Narrow } from "./sign-in.ts";

export function Track(): View {
  const submit = async ({ number }: { number: string }) => navigate(`/orders/track/${encodeURIComponent(number)}`);
  return view`
    <${Narrow} title="Where is my order?" button="Track it" submit=${submit}>
      ${field({ name: "number", label: "Order number", hint: "It is in our letter", required: true })}
    <//>`;
}

/** What anybody who knows an order's number may see. */
export const Tracked = ({ number = "" }) =>
  usePage(
    () => shop.GET("/api/v1/orders/track/{number}", { params: { path: { number } } }),
    `Order ${number}`,
    ({ data: order }) => view`
      <p class="eyebrow">${words(order.status)}</p>
      <h1>Order ${order.number}</h1>
      <p>For ${order.first_name} in ${order.city}: ${promise(order)}</p>
      <ul class="lines">
        ${order.items.map((item) => line({ ...item, name: units(item), amount: null }))}
      </ul>
      ${order.shipments.map(
        ({ carrier, status, tracking_number, tracking_url }) => view`
          <p>
            ${words(status)}. ${carrier} ${tracking_url && view`<a href=${tracking_url}>${tracking_number ?? "Follow it"}</a>`}
          </p>`,
      )}
      ${timeline(order.timeline)}`,
  );
