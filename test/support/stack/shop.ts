import { type Stack, type StackOptions, startStack } from "#infra/local/stack.ts";
import { useSockets, withoutSockets } from "../http/in-process.ts";
import { plantedItems } from "#infra/local/planting/planted-shop.ts";
import type { DynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { startMemoryDynamoDb } from "#test/memory-table/addresses.ts";
import { rowsOf } from "#test/memory-table/memory-table.ts";
import type { Rows } from "#test/memory-table/rows.ts";
import { usesEmulator } from "./table-kind.ts";
import { withNotedCalls } from "./called-functions.ts";
import { type Effect, declareEffects, consumersOf } from "./effects.ts";
import { elapsed } from "./memory-clock.ts";
import { remedy, startPermissionGuard } from "#test/guards/permission-guard.ts";
import { startDescriptionGuard } from "#test/guards/description-guard.ts";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import type { Table } from "#shared/storage/table.ts";
import { orderDesk } from "../back-office/orders.ts";
import { type Inbox, inboxOf } from "../emulators/inbox.ts";
import { stripeAt } from "../emulators/stripe.ts";
import { type StaffClient, type World, staffClient, worldOf } from "../people/people.ts";
import { expectNoFindings, unlessFound, watchTests } from "./guards.ts";

/** This worker's stack, for as long as its files declare the same effects. */
let current: { readonly effects: string; readonly stack: Promise<Stack> } | undefined;

/** A stack, and who uses it. */
export interface TestShop extends Stack {
  readonly table: Table;
  readonly world: World;
  readonly inbox: Inbox;
  readonly stripe: ReturnType<typeof stripeAt>;
  /** Creates orders in any state. */
  readonly desk: ReturnType<typeof orderDesk>;
  /** Signs in a new staff user with a role. */
  staffAs(role: RoleCode): Promise<StaffClient>;
}

function shopOn(stack: Stack): TestShop {
  const { baseUrl, environment } = stack;
  const world = worldOf(environment);
  return {
    ...stack,
    world,
    table: world.table,
    inbox: inboxOf(environment.SES_ENDPOINT),
    stripe: stripeAt(environment.STRIPE_API_URL),
    desk: orderDesk(baseUrl, environment),
    staffAs: (role) => staffClient(baseUrl, world, role),
  };
}

/**
 * The demo shop of this test file, in this process. Files of a worker that declare the same effects share it one after
 * the other, so each test makes the records that it changes.
 *
 * @param declared.effects the consumers and schedules whose work the file awaits; no other runs
 * @param declared.sockets whether the file's calls go through sockets, as a storefront's do
 */
export async function useShop(
  declared: { effects?: readonly Effect[]; sockets?: boolean } = {},
): Promise<TestShop> {
  const effects = [...(declared.effects ?? [])].toSorted();
  useSockets(declared.sockets ?? false);
  declareEffects(effects);
  const key = [usesEmulator() ? "emulator" : "memory", ...effects].join(" ");
  if (current?.effects !== key) {
    const previous = current;
    current = undefined;
    await (await previous?.stack)?.stop();
    current = { effects: key, stack: startGuardedStack({ shop: "planted", effects }) };
  }
  return shopOn(await current.stack);
}

let planted: Promise<Rows> | undefined;

/** A table in memory for a stack with these options; undefined if it has another one. Stacks share unchanged rows. */
async function tableInMemory({ shop, ...options }: StackOptions): Promise<DynamoDb | undefined> {
  const { dataDir, dynamoDbEndpoint, tableName } = options;
  if (usesEmulator() || (dataDir ?? dynamoDbEndpoint ?? tableName) !== undefined) return undefined;
  return shop === undefined ? startMemoryDynamoDb() : plantedInMemory();
}

/** A table in memory with the demo shop, also where other files use the emulator. */
export async function plantedInMemory(): Promise<DynamoDb> {
  planted ??= plantedItems().then(rowsOf);
  return startMemoryDynamoDb({ beginning: await planted });
}

export type GuardedOptions = Omit<StackOptions, "functions" | "bundles"> & {
  /** The consumers and schedules whose work the test file awaits; no other runs. */
  readonly effects?: readonly Effect[];
};

/**
 * A stack that allows functions only what the manifest declares, as in the cloud, and compares their responses to
 * the OpenAPI document. A test fails if meanwhile a function made an undeclared call (even one whose
 * refusal the function handled), or returned a response that the document does not describe.
 */
export async function startGuardedStack({
  effects = [],
  ...options
}: GuardedOptions = {}): Promise<Stack> {
  const consumers = consumersOf(effects);
  const table = await tableInMemory(options);
  const guard = await startPermissionGuard({
    refuse: true,
    openers: { elapsed: () => elapsed },
  });
  const described = await startDescriptionGuard(guard.functions);
  const unwatch = watchTests(() => [
    ...guard.undeclared().map((each) => `No permission for ${each}: ${remedy}`),
    ...described.differences().map((each) => `Differs from the OpenAPI document: ${each}`),
  ]);
  const stack = withoutSockets(
    await startStack({
      consumers,
      table,
      ...options,
      functions: withNotedCalls(described.functions),
    }),
  );
  return {
    ...stack,
    settled: () => unlessFound(stack.settled()),
    async stop() {
      await stack.stop();
      await guard.stop();
      expectNoFindings();
      unwatch();
    },
  };
}
