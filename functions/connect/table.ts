import { readVariable } from "#shared/runtime/environment.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export const connectTable = (environment: NodeJS.ProcessEnv): Table =>
  openTable({
    name: readVariable(environment, "TABLE_NAME"),
    endpoint: readVariable(environment, "DYNAMODB_ENDPOINT"),
  });
