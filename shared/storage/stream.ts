import type { DynamoDBRecord } from "aws-lambda";
import { type Attributes, unmarshalled } from "./attribute-values.ts";

/** An item before and after a change; undefined where it did not exist. */
export interface ItemChange {
  pk: string;
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** What a record of the table's stream says. */
export function itemChange({ dynamodb }: DynamoDBRecord): ItemChange {
  return {
    pk: dynamodb?.Keys?.["pk"]?.S ?? "",
    before: plain(dynamodb?.OldImage),
    after: plain(dynamodb?.NewImage),
  };
}

function plain(image: object | undefined): Record<string, unknown> | undefined {
  return image && unmarshalled(image as Attributes);
}
