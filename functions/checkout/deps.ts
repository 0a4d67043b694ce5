import { type CustomerFamilyDeps, connectCustomerFamily } from "#shared/auth/customer-family.ts";

export type Deps = CustomerFamilyDeps;

export const connect = (environment: NodeJS.ProcessEnv): Deps =>
  connectCustomerFamily(environment, "checkout");
