type Close = () => void | Promise<void> | undefined;

/** What a server has opened so far, to be closed in the opposite order: when it stops, and when it cannot start. */
export class AsyncDisposables {
  readonly #closings: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#closings.push(close);
  }

  /** Closes everything, once. Resolves when all is closed, also for who asks again meanwhile. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closings.reverse()) await close();
  }
}
