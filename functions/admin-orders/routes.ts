import {
  changeCoupon,
  createCoupon,
  deleteCoupon,
  getCoupon,
  listAllCoupons,
  replaceCoupon,
} from "./coupons.ts";
import {
  changeCustomer,
  getCustomer,
  listAllCustomers,
  listOrdersOfCustomer,
} from "./customers.ts";

export const routes = [
  listAllCustomers,
  getCustomer,
  changeCustomer,
  listOrdersOfCustomer,
  listAllCoupons,
  createCoupon,
  getCoupon,
  replaceCoupon,
  changeCoupon,
  deleteCoupon,
];
