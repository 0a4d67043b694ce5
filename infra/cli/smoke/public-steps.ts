import sharp from "sharp";
import { Skipped, WrongAnswer, answered } from "./deployment.ts";
import { type Findings, eventually, needed } from "./findings.ts";
import type { SmokeStep } from "./run-steps.ts";

type Run = SmokeStep<Findings>["run"];

const health: Run = async ({ shop }, found) => {
  const { data } = answered(await shop.GET("/api/v1/health"));
  found.isShop = true;
  if (!data.ok) throw new WrongAnswer("The health check reports a problem");
  return `${data.app} at ${data.time}`;
};

const description: Run = async ({ baseUrl, fetch }, found) => {
  needed(found.isShop, "no shop answers at this address");
  const response = await fetch(`${baseUrl}/docs/api.json`);
  if (response.status === 404) throw new Skipped("the docs are closed");
  if (!response.ok) throw new WrongAnswer(String(response.status));
  const { openapi } = (await response.json()) as { openapi?: unknown };
  if (typeof openapi !== "string") throw new WrongAnswer("The response is not an OpenAPI document");
  return `OpenAPI ${openapi}`;
};

const browse: Run = async ({ shop }, found) => {
  found.bootstrap = answered(await shop.GET("/api/v1/bootstrap")).data;
  const { data } = answered(
    await shop.GET("/api/v1/products", { params: { query: { in_stock: true } } }),
  );
  for (const { slug } of data.filter(({ availability }) => availability.state === "in_stock")) {
    const product = answered(
      await shop.GET("/api/v1/products/{slug}", { params: { path: { slug } } }),
    );
    const { sku } =
      product.data.variants.find(({ availability }) => availability.state === "in_stock") ?? {};
    if (sku === undefined) continue;
    found.sku = sku;
    return `${slug} is in stock`;
  }
  throw new Skipped("no product is published and in stock");
};

const price: Run = async ({ shop }) => {
  const { data } = answered(
    await shop.GET("/api/v1/sofas", { params: { query: { per_page: 1 } } }),
  );
  const [sofa] = data;
  if (!sofa) throw new Skipped("no sofa is published");
  const path = { slug: sofa.slug };
  const detail = answered(await shop.GET("/api/v1/sofas/{slug}", { params: { path } }));
  const configuration = detail.data.default_configuration;
  const priced = answered(
    await shop.POST("/api/v1/sofas/{slug}/price", { params: { path }, body: { configuration } }),
  ).data;
  if (!priced.valid || !priced.price) {
    throw new WrongAnswer(`The default configuration of ${sofa.slug} has no price`);
  }
  return `${sofa.slug} costs ${priced.price} ${priced.currency}`;
};

const cart: Run = async ({ shop }, found) => {
  const sku = needed(found.sku, "there is no product to add");
  const { data } = answered(
    await shop.POST("/api/v1/cart", { body: { items: [{ sku, quantity: 1 }] } }),
  );
  const token = data.token ?? "";
  const read = answered(
    await shop.GET("/api/v1/cart", { params: { header: { "x-cart-token": token } } }),
  );
  if (read.data.item_count !== 1)
    throw new WrongAnswer("The cart does not contain the added product");
  found.cartToken = token;
  return `one ${sku}`;
};

const upload: Run = async ({ shop, fetch }) => {
  const picture = await sharp({
    create: { width: 64, height: 64, channels: 3, background: "#785a3c" },
  })
    .png()
    .toBuffer();
  const request = {
    filename: "smoke.png",
    content_type: "image/png",
    size: picture.length,
  } as const;
  const { data } = answered(await shop.POST("/api/v1/media/fabric", { body: request }));
  if (!data.upload) throw new WrongAnswer("There is no form to upload with");
  const form = new FormData();
  for (const [name, value] of Object.entries(data.upload.fields)) form.append(name, value);
  form.append("file", new Blob([Uint8Array.from(picture)]));
  const stored = await fetch(data.upload.url, { method: "POST", body: form });
  if (!stored.ok) throw new WrongAnswer(`Storage answered ${stored.status}`);

  const path = { id: data.id };
  const checked = await eventually("The picture was not checked", async () => {
    const read = answered(await shop.GET("/api/v1/media/fabric/{id}", { params: { path } }));
    return read.data.status === "pending" ? undefined : read.data;
  });
  if (checked.url === null) {
    throw new WrongAnswer(`The picture was ${checked.status}: ${checked.reason_message}`);
  }
  const shown = await fetch(checked.url);
  if (!shown.ok) throw new WrongAnswer(`The distribution answered ${shown.status} for the picture`);
  return "checked and shown; it is deleted after a day";
};

export const publicSteps = {
  health: { name: "health", run: health },
  description: { name: "description", run: description },
  browse: { name: "browse", run: browse },
  price: { name: "price", run: price },
  cart: { name: "cart", run: cart },
  upload: { name: "upload", run: upload },
} as const satisfies Record<string, SmokeStep<Findings>>;
