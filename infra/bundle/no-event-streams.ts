/**
 * Replaces `@smithy/core/event-streams` in bundles. DynamoDB, S3 and SQS clients import it for operations with event
 * streams, such as S3's SelectObjectContent. No function calls such an operation.
 */
export function EventStreamSerde(): never {
  throw new Error("Bundles leave out the SDK's event streams.");
}

export const eventStreamSerdeProvider = (): undefined => undefined;

/** Returns the client's configuration unchanged. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
