import { leastPartBytes } from "#shared/files/growing-object.ts";

/** Text that waits to be a part of an object. */
export interface PartBuffer {
  readonly bytes: number;
  add(text: string | Uint8Array): void;
  /**
   * All that waits, in parts that storage takes. Storage wants all but an object's last part to be of a size: each is
   * of 5 to 10 MiB, but the only one where less waits.
   */
  take(): Buffer[];
}

/** From this size on a buffer is stored. */
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
