import { leastPartBytes } from "#shared/files/growing-object.ts";

/** Text buffered for the next part of an object. */
export interface PartBuffer {
  readonly bytes: number;
  add(text: string | Uint8Array): void;
  /**
   * Returns all buffered text and empties the buffer. Splits the text into parts of 5 to 10 MiB, because S3 refuses
   * smaller parts except the last one. A text of less than 5 MiB becomes one part.
   */
  take(): Buffer[];
}

/** A buffer of this size or more is stored. */
export const fullPartBytes = 8 * 1024 * 1024;

export function partBuffer(): PartBuffer {
  let units: Uint8Array[] = [];
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    add(text) {
      const unit = typeof text === "string" ? Buffer.from(text) : text;
      units.push(unit);
      bytes += unit.byteLength;
    },
    take() {
      const whole = Buffer.concat(units, bytes);
      units = [];
      bytes = 0;
      const parts = Math.max(1, Math.floor(whole.byteLength / leastPartBytes));
      const size = Math.ceil(whole.byteLength / parts);
      return Array.from({ length: parts }, (_, number) =>
        whole.subarray(number * size, (number + 1) * size),
      );
    },
  };
}
