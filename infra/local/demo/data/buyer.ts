/** A buyer's contact and address for checkouts in the demo shop. */
export const demoBuyer = {
  email: "asha@example.com",
  phone: "+919845012345",
  name: "Asha Rao",
  shipping_address: {
    line1: "12 Residency Road",
    city: "Bengaluru",
    state: "Karnataka",
    postal_code: "560001",
    country: "IN",
  },
};
