import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import type * as z from "zod";
import type { Cause } from "../runtime/cause.ts";
import { type Readable, recordOf } from "./entity.ts";

/** An item as the stream shows it; undefined if it did not exist. */
export type Image = Record<string, unknown> | undefined;

/** An item before and after a change. */
export interface ItemChange {
  pk: string;
  before: Image;
  after: Image;
}

/**
 * The record of an image, read like a row of the table.
 *
 * @returns undefined for an image of another entity
 * @throws UnreadableRow when the image does not match the schema
 */
export const imageOf = <Schema extends z.ZodObject, Id>(
  of: Readable<Schema, Id>,
  image: Image,
): z.output<Schema> | undefined =>
  image?.["entity"] === of.name ? recordOf(of, image) : undefined;

/** The change that a record of the table's stream describes. Its images omit the attribute `cause`. */
export function itemChange({ dynamodb }: DynamoDBRecord): ItemChange {
  return {
    pk: dynamodb?.Keys?.["pk"]?.S ?? "",
    before: withoutCause(plain(dynamodb?.OldImage)),
    after: withoutCause(plain(dynamodb?.NewImage)),
  };
}

function withoutCause(image: Image): Image {
  if (!image) return image;
  const { cause: _cause, ...members } = image;
  return members;
}

/** The cause that a row's last writer stored in it. A deletion stores no cause. */
export function causeOfChange({ dynamodb, userIdentity }: DynamoDBRecord): Cause {
  // DynamoDB deletes expired items under this principal:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
  if (userIdentity?.principalId === "dynamodb.amazonaws.com") return { trigger: "expiry" };
  if (!dynamodb?.NewImage) return { trigger: "deletion" };
  const { request_id, trigger } = dynamodb.NewImage["cause"]?.M ?? {};
  if (request_id?.S === undefined && trigger?.S === undefined) return { trigger: "change" };
  return {
    ...(request_id?.S !== undefined && { request_id: request_id.S }),
    ...(trigger?.S !== undefined && { trigger: trigger.S }),
  };
}

// The event's type declares attribute values by another package, in the same format.
const plain = (image: object | undefined): Image =>
  image && unmarshall(image as Record<string, AttributeValue>);
