import type { GatewayPayment, GatewayRefund } from "../domain/payment/gateway/gateway-payment.ts";

/** The order and amount of a payment. */
export interface PaymentRequest {
  readonly orderId: string;
  readonly orderNumber: string;
  /** Rises when the buyer can no longer make the previous payment. Equal requests return the same payment. */
  readonly attempt: number;
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
}

/** A payment with the secret that the storefront needs to let the buyer pay. */
export interface PayablePayment extends GatewayPayment {
  readonly clientSecret: string;
}

/**
 * An online payment gateway. Every call may be repeated: an equal request has no further effect. Every call throws
 * Unavailable when the gateway cannot be reached or does not answer in time.
 */
export interface PaymentGateway {
  /** The key with which the storefront identifies the shop. */
  readonly publishableKey: string;
  create(request: PaymentRequest): Promise<PayablePayment>;
  /** Undefined if there is no payment with this id. */
  find(paymentId: string): Promise<PayablePayment | undefined>;
  /**
   * Cancels a payment that is not final yet, and returns its state: it may have succeeded a moment before. Undefined
   * if there is no payment with this id.
   */
  cancel(paymentId: string): Promise<GatewayPayment | undefined>;
  /**
   * Refunds an amount of a payment, once per `transactionId`. A refund that the gateway refuses, for example because it
   * exceeds the remaining amount, is returned as `failed` with its reason, also on every repetition.
   */
  refund(request: {
    readonly paymentId: string;
    readonly amount: number;
    readonly transactionId: string;
  }): Promise<GatewayRefund>;
}

/** A webhook event of the gateway. It identifies a payment, whose state is then read from the gateway. */
export interface GatewayNotice {
  /** The event's id: the same for every delivery. */
  readonly id: string;
  /** Null if the event does not concern an order's payment. */
  readonly paymentId: string | null;
}
