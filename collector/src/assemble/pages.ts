type Numbers = Uint32Array | Int32Array | Float64Array;

const BITS = 14;
const SIZE = 1 << BITS;
const MASK = SIZE - 1;

/**
 * A column of numbers that grows by pages: growing copies nothing, and memory follows what is used. Indexes past the end
 * must be made by `grow`.
 */
export class Pages<T extends Numbers> {
  private readonly pages: T[] = [];
  private readonly make: new (length: number) => T;

  constructor(make: new (length: number) => T) {
    this.make = make;
  }

  /** Makes room for index `at`. */
  grow(at: number): void {
    while (at >> BITS >= this.pages.length) this.pages.push(new this.make(SIZE));
  }

  get(at: number): number {
    return this.pages[at >> BITS]![at & MASK]!;
  }

  set(at: number, value: number): void {
    this.pages[at >> BITS]![at & MASK] = value;
  }
}
