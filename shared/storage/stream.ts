import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";

/** An item before and after a change; undefined where it did not exist. */
export interface ItemChange {
  pk: string;
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** The change that a record of the table's stream describes. */
export function itemChange({ dynamodb }: DynamoDBRecord): ItemChange {
  return {
    pk: dynamodb?.Keys?.["pk"]?.S ?? "",
    before: plain(dynamodb?.OldImage),
    after: plain(dynamodb?.NewImage),
  };
}

function plain(image: object | undefined): Record<string, unknown> | undefined {
  return image && unmarshall(image as Record<string, AttributeValue>);
}
