/**
 * Stands in for `@smithy/core/event-streams` in bundles. The SDK loads it for operations that stream events, of which
 * functions call none; the S3 client alone names it when it is made.
 */
export const eventStreamSerdeProvider = (): undefined => undefined;

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/** The SDK calls it as a constructor. */
export function EventStreamSerde(): never {
  throw new Error("Bundles do not carry what operations with event streams need.");
}
