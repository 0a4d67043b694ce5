import { expect, test } from "vitest";
import { orderForBuyer } from "#shared/domain/order/view/order-view.ts";
import { cartItem } from "#shared/domain/cart/cart-view.ts";
import { productDetail } from "#shared/domain/catalog/product-detail.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { publicSettings } from "#shared/domain/settings/settings-groups.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import { aPublishedProduct } from "#test/support/shop/builders.ts";
import { aPricedLine, aPricing, aStore, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

/** The map with its keys in reverse order, as storage may return it. */
const backwards = <Value>(map: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).toReversed());

const configuration = { size: "two-seater", legs: "oak", upholstery: "linen" };

test("a cart line has the same JSON for every key order of its stored configuration", () => {
  const sent = [configuration, backwards(configuration)].map((map) => {
    const line = aPricedLine({ kind: "sofa", configuration: map });
    return JSON.stringify(cartItem(line, priceCart(aPricing({ lines: [line] })).lines[0]!.amounts));
  });
  expect(sent[0]).toBe(sent[1]);
});

test("an order line has the same JSON for every key order of its stored configuration", () => {
  const order = aPlacedOrder();
  const rows = { timeline: [], transactions: [], shipments: [], changes: [], returns: [] };
  const sent = [configuration, backwards(configuration)].map((map) =>
    JSON.stringify(
      orderForBuyer(
        {
          order: { ...order, items: order.items.map((item) => ({ ...item, configuration: map })) },
          rows,
        },
        { settings: someSettings(), now: noon },
      ),
    ),
  );
  expect(sent[0]).toBe(sent[1]);
});

test("feature switches have the same JSON for every stored key order", () => {
  const features = { swatches: true, wishlist: false };
  const sent = [features, backwards(features)].map((map) =>
    JSON.stringify(
      publicSettings({ ...defaultSettings, store: aStore({ features: map }) }).features,
    ),
  );
  expect(sent[0]).toBe(sent[1]);
});

test("variant options have the same JSON for every stored key order", () => {
  const options = { color: "slate", size: "large" };
  const sent = [options, backwards(options)].map((map) => {
    const product = aPublishedProduct();
    const variants = product.variants.map((variant) => ({ ...variant, options: map }));
    return JSON.stringify(productDetail({ ...product, variants }, []).variants);
  });
  expect(sent[0]).toBe(sent[1]);
});
