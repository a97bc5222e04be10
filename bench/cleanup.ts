/** Everything a run starts or writes outside the repository is undone here, last thing first. */
export class Cleanup {
  #steps: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;
  /** A signal has come: what fails from now on fails because of it. */
  interrupted = false;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  run(): Promise<void> {
    this.#running ??= this.#undo();
    return this.#running;
  }

  async #undo(): Promise<void> {
    for (const step of this.#steps.reverse()) {
      try {
        await step();
      } catch (error) {
        console.error(`cleaning up: ${error}`);
      }
    }
  }

  /** The servers run in process groups of their own, so Ctrl-C reaches only this process. */
  onSignals(): void {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      process.once(signal, () => {
        this.interrupted = true;
        console.error(`\n${signal}: stopping what was started`);
        void this.run().then(() => process.exit(code));
      });
    }
  }
}
