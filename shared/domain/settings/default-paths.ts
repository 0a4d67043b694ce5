/** The storefront's paths until staff save others. */
export const defaultPaths = {
  product: "/products/{slug}",
  sofa: "/sofas/{slug}",
  page: "/pages/{slug}",
  story: "/interiors/{slug}",
  category: "/categories/{slug}",
};
