/** The keys of the stand-in's one account: made up, and worth nothing anywhere else. */
export const standInKeys = {
  secretKey: "sk_test_standInOnThisMachineOnly",
  publishableKey: "pk_test_standInOnThisMachineOnly",
  webhookSecret: "whsec_standInOnThisMachineOnly",
} as const;
