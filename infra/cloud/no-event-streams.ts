/**
 * Stands in for `@smithy/core/event-streams` in bundles. The S3 client prepares for streams of events
 * whether or not an operation that has one is ever called; here none is.
 */
export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}

export function eventStreamSerdeProvider(): never {
  throw new Error("This bundle was made without streams of events.");
}

/** Stands in for that of `@smithy/signature-v4`, which signs events of such streams. */
export class HeaderFormatter {
  format(): never {
    throw new Error("This bundle was made without streams of events.");
  }
}
