/**
 * One stage of the crawl: a named bounded queue and at most `concurrency` pieces of work at a time. A full queue makes the
 * producer wait; a piece of work that throws fails the stage, and with it the crawl.
 */
export interface StageOptions<Item> {
  readonly name: string;
  readonly concurrency: number;
  /** Items that may wait beside those being worked on. */
  readonly capacity: number;
  readonly work: (item: Item) => Promise<void>;
  readonly onFailure: (stage: string, error: unknown) => void;
  /** Room has come up, or an item is done. */
  readonly onProgress?: () => void;
}

export class Stage<Item> {
  readonly #options: StageOptions<Item>;
  readonly #waiting: Item[] = [];
  readonly #blocked: (() => void)[] = [];
  readonly #drained: (() => void)[] = [];
  #active = 0;

  constructor(options: StageOptions<Item>) {
    this.#options = options;
  }

  /** Items waiting and being worked on. */
  get load(): number {
    return this.#waiting.length + this.#active;
  }

  get isFull(): boolean {
    return this.load >= this.#options.capacity + this.#options.concurrency;
  }

  /** Resolves when the stage has taken the item, not when it is done. */
  async push(item: Item): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => this.#blocked.push(resolve));
    this.#waiting.push(item);
    this.#pump();
  }

  /** Resolves when nothing waits or is being worked on. */
  async drain(): Promise<void> {
    while (this.load > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  #pump(): void {
    while (this.#active < this.#options.concurrency) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      this.#active += 1;
      this.#options
        .work(item)
        .catch((error: unknown) => this.#options.onFailure(this.#options.name, error))
        .finally(() => this.#finishOne());
    }
  }

  #finishOne(): void {
    this.#active -= 1;
    this.#pump();
    this.#blocked.shift()?.();
    if (this.load === 0) for (const resolve of this.#drained.splice(0)) resolve();
    this.#options.onProgress?.();
  }
}
