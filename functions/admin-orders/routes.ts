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
import { addPayment } from "./payments.ts";
import { addRefund, recordRefund } from "./refunds.ts";

export const routes = [
  addPayment,
  addRefund,
  recordRefund,
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
