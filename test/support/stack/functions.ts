import { openShopFacts } from "#functions/docs/shop-facts.ts";
import { functionsWith } from "#infra/local/functions/load-function.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { openTable } from "#shared/storage/table.ts";
import { clientAt } from "#test/memory-table/addresses.ts";

/** How the functions of a test reach their table: in memory, if that is what the environment names. */
function tableOptions(environment: NodeJS.ProcessEnv) {
  const endpoint = readVariable(environment, "DYNAMODB_ENDPOINT");
  return { name: readVariable(environment, "TABLE_NAME"), endpoint, client: clientAt(endpoint) };
}

export const tableOpeners = {
  table: (environment: NodeJS.ProcessEnv) => openTable(tableOptions(environment)),
  shopFacts: (environment: NodeJS.ProcessEnv) => openShopFacts(tableOptions(environment)),
};

/** The functions from the sources, also for stacks whose table is in memory. */
export const testedFunctions = functionsWith(() => tableOpeners);
