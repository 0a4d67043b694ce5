import type { Budgets } from "./budget.ts";
import { mark } from "../back-office/catalog.ts";
import { aBench, askForQuote, sendQuote } from "../back-office/sales.ts";
import { clientOf } from "../http/client.ts";
import type { Calls, Shop } from "./shop.ts";
import { aLeadForm, type QuoteView } from "../back-office/sales.ts";
import type { Data } from "../shop/shopping.ts";

const aPicture = { filename: "linen.jpg", content_type: "image/jpeg", size: 1_204 };

/** Calls of visitors and staff for leads and quotes. */
export function enquiryCalls({ baseUrl, owner, inbox, made }: Shop): Calls {
  const requestedQuote = () => askForQuote(baseUrl, [aBench()]);
  async function sent() {
    const { quote, token } = await sendQuote(
      { staff: owner, inbox },
      (await requestedQuote()).id,
      700_000,
    );
    return { params: { id: quote.id }, token };
  }
  const visitors = async (path: string, body: object) => {
    const { id } = (await clientOf(baseUrl).post<Data<{ id: string }>>(path, body)).body.data;
    return { params: { id } };
  };

  return {
    async "GET /quotes/{id}"() {
      const { params, token } = await sent();
      return { params, query: `token=${token}` };
    },
    async "GET /quotes/{id}/documents"() {
      const { params, token } = await sent();
      return { params, query: `token=${token}` };
    },
    async "POST /quotes/{id}/accept"() {
      const { params, token } = await sent();
      return { params, body: { token } };
    },
    async "POST /quotes/{id}/decline"() {
      const { params, token } = await sent();
      return { params, body: { token, reason: "Too late" } };
    },
    "GET /media/fabric/{id}": () => visitors("/media/fabric", aPicture),
    "PATCH /admin/leads/{id}": async () => ({
      ...(await visitors("/leads", aLeadForm())),
      body: { status: "contacted", notes: mark() },
    }),
    async "PATCH /admin/quotes/{id}"() {
      const { id } = await requestedQuote();
      const quote = (await owner.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
      const items = quote.items.map((item) => ({ id: item.id, unit_price: 700_000 }));
      return { params: { id }, body: { items, status: "sent" } };
    },
    "GET /admin/media/{id}": async () => ({ params: await made("/admin/media", aPicture) }),
  };
}

export const enquiryBudgets: Budgets = {
  "POST /leads": [3, 3, 1, 17],
  "POST /quotes": [3, 3, 1, 21],
  "GET /quotes/{id}": [1, 1, 1, 0],
  "GET /quotes/{id}/documents": [3, 1, 2, 1],
  "GET /admin/quotes/{id}/documents": [3, 1, 5, 0],
  "POST /quotes/{id}/accept": [4, 4, 4, 22],
  "POST /quotes/{id}/decline": [3, 3, 1, 15],
  "POST /media/fabric": [2, 2, 0, 3],
  "GET /media/fabric/{id}": [1, 1, 1, 0],
  "GET /admin/leads": [3, 3, 6, 0],
  "GET /admin/leads/{id}": [2, 1, 4, 0],
  "PATCH /admin/leads/{id}": [5, 4, 7, 13],
  "GET /admin/quotes": [3, 3, 6, 0],
  "GET /admin/quotes/{id}": [2, 1, 4, 0],
  "PATCH /admin/quotes/{id}": [3, 2, 4, 18],
};
