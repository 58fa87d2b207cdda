/** Wakes one waiting loop. A call of `notify` while nobody waits is remembered. */
export class Notifier {
  #isSet = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves at the next `notify`, or at once after one that nobody saw. */
  wait(): Promise<void> {
    if (this.#isSet) {
      this.#isSet = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#isSet = false;
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
