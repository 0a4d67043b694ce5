/** Whether two sets have a member in common. */
export function meet(one: Bits, other: Bits): boolean {
  return one.some((word, at) => (word & other[at]!) !== 0);
}

/** A set of document numbers: document d is bit d % 32 of word d / 32. */
export type Bits = Uint32Array<ArrayBuffer>;

export function emptyBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

export function fullBits(size: number): Bits {
  const bits = emptyBits(size).fill(0xffff_ffff);
  const rest = size & 31;
  if (rest > 0) bits[bits.length - 1] = (1 << rest) - 1;
  return bits;
}

// Document numbers are always below the set's size, so the word exists.
export function addBit(bits: Bits, doc: number): void {
  bits[doc >>> 5]! |= 1 << (doc & 31);
}

export function removeBit(bits: Bits, doc: number): void {
  bits[doc >>> 5]! &= ~(1 << (doc & 31));
}

export function hasBit(bits: Bits, doc: number): boolean {
  return ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
}

export function addAll(target: Bits, other: Bits): void {
  for (let word = 0; word < target.length; word += 1) target[word]! |= other[word]!;
}

export function keepOnly(target: Bits, other: Bits): void {
  for (let word = 0; word < target.length; word += 1) target[word]! &= other[word]!;
}

export function popCount(word: number): number {
  let count = word - ((word >>> 1) & 0x5555_5555);
  count = (count & 0x3333_3333) + ((count >>> 2) & 0x3333_3333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) count += popCount(bits[word]!);
  return count;
}

/** Visits the documents of a set in ascending order. */
export function eachBit(bits: Bits, visit: (doc: number) => void): void {
  for (let index = 0; index < bits.length; index += 1) {
    let word = bits[index]!;
    while (word !== 0) {
      visit((index << 5) + 31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
}

/** The documents of a set in ascending order. */
export function listBits(bits: Bits, count = countBits(bits)): Uint32Array<ArrayBuffer> {
  const docs = new Uint32Array(count);
  let next = 0;
  // Not through `eachBit`: a search lists thousands of documents, and calls would take most of its time.
  for (let index = 0; index < bits.length; index += 1) {
    for (let word = bits[index]!; word !== 0; word &= word - 1) {
      docs[next] = (index << 5) + 31 - Math.clz32(word & -word);
      next += 1;
    }
  }
  return docs;
}
