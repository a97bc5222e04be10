/** What a server has opened so far, to be closed in the opposite order: when it stops, and when it cannot start. */
export class Opened {
  readonly #closings: (() => void | Promise<void> | undefined)[] = [];

  add(close: () => void | Promise<void> | undefined): void {
    this.#closings.push(close);
  }

  /** Closes everything, once. */
  async close(): Promise<void> {
    for (let close = this.#closings.pop(); close; close = this.#closings.pop()) await close();
  }
}
