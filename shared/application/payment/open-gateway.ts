import type { PaymentSettings } from "../../domain/settings/settings.ts";
import type { SettingsStore } from "../../storage/settings/settings.ts";
import type { SecretStore } from "../../storage/settings/secrets.ts";
import type { Log } from "../../runtime/log.ts";
import type { PaymentGateway } from "../../payments/gateway.ts";
import { openStripe } from "../../payments/stripe-gateway.ts";

export interface Gateways {
  /** The gateway that buyers can pay with; null if it is switched off or its keys are missing. */
  current(payments: PaymentSettings): Promise<PaymentGateway | null>;
  /**
   * The configured gateway even while it is switched off, so that pending payments can be completed; null if it has no
   * keys.
   */
  configured(): Promise<PaymentGateway | null>;
  /** The webhook signing secret; null if not configured. It is valid even while the gateway is off. */
  webhookSecret(): Promise<string | null>;
}

/**
 * The payment gateway that staff configured. The client and its connections are reused until the keys change.
 *
 * @param options.endpoint defaults to the gateway's own
 */
export function openGateways(options: {
  readonly settings: SettingsStore<"payments">;
  readonly secrets: Pick<SecretStore, "reveal">;
  readonly endpoint?: string | undefined;
  readonly log: Pick<Log, "error">;
}): Gateways {
  const { settings, secrets, endpoint, log } = options;
  let open: { secretKey: string; gateway: PaymentGateway } | undefined;

  async function gatewayBy({ gateway }: PaymentSettings): Promise<PaymentGateway | null> {
    const secretKey = await secrets.reveal("payments", "gateway.secret_key");
    const publishableKey = gateway.publishable_key;
    if (!publishableKey || !secretKey) return null;
    if (open?.secretKey !== secretKey || open.gateway.publishableKey !== publishableKey) {
      open = { secretKey, gateway: openStripe({ secretKey, publishableKey, endpoint, log }) };
    }
    return open.gateway;
  }

  return {
    current: async (payments) => (payments.gateway.enabled ? gatewayBy(payments) : null),
    configured: async () => gatewayBy((await settings.current()).payments),
    webhookSecret: () => secrets.reveal("payments", "gateway.webhook_secret"),
  };
}
