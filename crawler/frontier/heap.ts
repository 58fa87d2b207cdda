/** Binary min-heap that knows where its items stand, so that one may be moved or removed when its key changes. */
export class Heap<Item extends object> {
  readonly #items: Item[] = [];
  readonly #indexOf = new Map<Item, number>();
  readonly #keyOf: (item: Item) => number;

  /** `keyOf` may change for an item only between `remove` and `add`, or be followed by `update`. */
  constructor(keyOf: (item: Item) => number) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  has(item: Item): boolean {
    return this.#indexOf.has(item);
  }

  /** Adds the item, or moves it to where its key belongs now. */
  update(item: Item): void {
    const index = this.#indexOf.get(item);
    if (index === undefined) {
      this.#items.push(item);
      this.#indexOf.set(item, this.#items.length - 1);
      this.#siftUp(this.#items.length - 1);
      return;
    }
    this.#siftDown(this.#siftUp(index));
  }

  /** No effect on an item that is not in the heap. */
  remove(item: Item): void {
    const index = this.#indexOf.get(item);
    if (index === undefined) return;
    this.#indexOf.delete(item);
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#place(last, index);
    this.#siftDown(this.#siftUp(index));
  }

  /** Every parent's key is at most its children's; every item knows its place. Throws otherwise. */
  checkConsistent(): void {
    for (const [index, item] of this.#items.entries()) {
      const parent = this.#items[(index - 1) >> 1];
      if (index > 0 && parent !== undefined && this.#keyOf(parent) > this.#keyOf(item)) {
        throw new Error(`heap order broken at ${index}`);
      }
      if (this.#indexOf.get(item) !== index) throw new Error(`heap place wrong at ${index}`);
    }
  }

  #place(item: Item, index: number): void {
    this.#items[index] = item;
    this.#indexOf.set(item, index);
  }

  #siftUp(start: number): number {
    let index = start;
    const item = this.#items[index];
    if (item === undefined) return index;
    const key = this.#keyOf(item);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex];
      if (parent === undefined || this.#keyOf(parent) <= key) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
    return index;
  }

  #siftDown(start: number): void {
    let index = start;
    const item = this.#items[index];
    if (item === undefined) return;
    const key = this.#keyOf(item);
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = this.#items[childIndex];
      if (child === undefined) break;
      const right = this.#items[childIndex + 1];
      if (right !== undefined && this.#keyOf(right) < this.#keyOf(child)) {
        childIndex += 1;
        child = right;
      }
      if (this.#keyOf(child) >= key) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }
}
