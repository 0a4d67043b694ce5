import type { GatewayPayment, GatewayRefund } from "../domain/payment/gateway-payment.ts";

/** What a payment is made for. */
export interface PaymentRequest {
  readonly orderId: string;
  readonly orderNumber: string;
  /** Raised when the payment before can no longer be paid: all the same is the same payment. */
  readonly attempt: number;
  readonly amount: number;
  readonly currency: string;
  readonly email: string;
}

/** What the storefront needs to let the buyer pay. */
export interface PayablePayment extends GatewayPayment {
  readonly clientSecret: string;
}

/**
 * An online payment gateway. Every call may be repeated: the same request has one effect.
 * Every call throws Unavailable when the gateway cannot be reached or does not answer in time.
 */
export interface PaymentGateway {
  /** What the storefront names the shop by. */
  readonly publishableKey: string;
  create(request: PaymentRequest): Promise<PayablePayment>;
  /** Undefined: it knows none by that id. */
  find(paymentId: string): Promise<PayablePayment | undefined>;
  /**
   * Ends a payment that is not final yet. Answers what has become of it: it may have succeeded a moment before.
   * Undefined: it knows none by that id.
   */
  cancel(paymentId: string): Promise<GatewayPayment | undefined>;
  /**
   * Gives back a part of a payment, once for each `transactionId`. What the gateway will not give back, such as more
   * than is left, is answered as `failed`, now and whenever it is asked for again.
   */
  refund(request: {
    readonly paymentId: string;
    readonly amount: number;
    readonly transactionId: string;
  }): Promise<GatewayRefund>;
}

/** What a gateway tells by itself: that something happened to a payment, which is then asked about. */
export interface GatewayNotice {
  /** The event's id: the same however often it is delivered. */
  readonly id: string;
  /** Null: it is about nothing that orders are paid with. */
  readonly paymentId: string | null;
}
