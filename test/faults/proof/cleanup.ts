/** Cleanup functions, run in reverse order. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  after(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** A cleanup that may run earlier, and at the latest with the others. */
  part(): Cleanup {
    const part = new Cleanup();
    this.after(() => part.run());
    return part;
  }

  /** Runs all cleanups, and throws at the end if one failed. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop())
      await step().catch((error) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'not everything could be cleaned up');
  }
}
