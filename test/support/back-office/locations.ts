import { mark } from "./catalog.ts";

/** The body of a new showroom. */
export const aLocationBody = (overrides: object = {}) => ({
  code: `showroom-${mark()}`,
  name: "Showroom Indiranagar",
  kind: "showroom",
  address: {
    line1: "12, 100 Feet Road",
    city: "Bengaluru",
    state: "Karnataka",
    postal_code: "560038",
    country: "IN",
  },
  ...overrides,
});
