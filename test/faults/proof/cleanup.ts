/** What has to be undone at the end, the last first. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  after(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** What may be undone earlier, and is at the latest with the rest. */
  part(): Cleanup {
    const part = new Cleanup();
    this.after(() => part.run());
    return part;
  }

  /** Undoes all of it, and says at the end if something could not be. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop())
      await step().catch((error) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'not everything could be cleaned up');
  }
}
