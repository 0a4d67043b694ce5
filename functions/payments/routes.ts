import { changePayment } from "./change.ts";
import { confirmPayment } from "./confirm.ts";

export const routes = [confirmPayment, changePayment];
