import { changeItems, getCart, removeItem, replaceCart } from "./cart.ts";
import { checkOut } from "./checkout.ts";
import { tryCoupon } from "./coupon.ts";
import { quoteShipping } from "./shipping.ts";
import { trackOrder } from "./tracking.ts";

export const routes = [
  getCart,
  replaceCart,
  changeItems,
  removeItem,
  checkOut,
  tryCoupon,
  quoteShipping,
  trackOrder,
];
