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
import { getInvoice } from "./invoices.ts";
import { changeAnyOrder, getAnyOrder, listAllOrders } from "./orders.ts";
import { addShipment, changeAnyShipment } from "./shipments.ts";

export const routes = [
  listAllOrders,
  getAnyOrder,
  changeAnyOrder,
  addShipment,
  changeAnyShipment,
  getInvoice,
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
