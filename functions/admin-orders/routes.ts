import {
  changeCoupon,
  createCoupon,
  deleteCoupon,
  getCoupon,
  listAllCoupons,
  replaceCoupon,
} from "./coupons.ts";

export const routes = [
  listAllCoupons,
  createCoupon,
  getCoupon,
  replaceCoupon,
  changeCoupon,
  deleteCoupon,
];
