/** The keys of the emulator's one account. They are invented. */
export const emulatorKeys = {
  secretKey: "sk_test_standInOnThisMachineOnly",
  publishableKey: "pk_test_standInOnThisMachineOnly",
  webhookSecret: "whsec_standInOnThisMachineOnly",
} as const;
