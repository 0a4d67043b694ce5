import type { SettingsStore } from "../storage/settings.ts";
import type { SecretStore } from "../storage/secrets.ts";
import type { Log } from "../runtime/log.ts";
import type { PaymentGateway } from "./gateway.ts";
import { openStripe } from "./stripe-gateway.ts";

export interface Gateways {
  /** The gateway by the settings of now; null: staff switched it off, or have not entered its keys. */
  current(): Promise<PaymentGateway | null>;
  /** What notices of the gateway are signed with; null: not configured. It counts while the gateway is off, too. */
  webhookSecret(): Promise<string | null>;
}

/**
 * The payment gateway that staff configured. A gateway is kept, with its connections, until its keys change.
 *
 * @param options.endpoint nothing: the gateway's own
 */
export function openGateways(options: {
  readonly settings: SettingsStore;
  readonly secrets: Pick<SecretStore, "reveal">;
  readonly endpoint?: string | undefined;
  readonly log: Pick<Log, "error">;
}): Gateways {
  const { settings, secrets, endpoint, log } = options;
  let open: { secretKey: string; gateway: PaymentGateway } | undefined;

  return {
    async current() {
      const [{ payments }, secretKey] = await Promise.all([
        settings.current(),
        secrets.reveal("payments", "gateway.secret_key"),
      ]);
      const { enabled, publishable_key: publishableKey } = payments.gateway;
      if (!enabled || publishableKey === null || secretKey === null) return null;
      if (open?.secretKey !== secretKey || open.gateway.publishableKey !== publishableKey) {
        open = { secretKey, gateway: openStripe({ secretKey, publishableKey, endpoint, log }) };
      }
      return open.gateway;
    },
    webhookSecret: () => secrets.reveal("payments", "gateway.webhook_secret"),
  };
}
