// Stops the processes and deletes the files of a benchmark run, in reverse order, also after a signal.
export class Cleanup {
  #steps: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;
  /** A signal was received: errors after it are consequences and are not reported. */
  interrupted = false;

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  run(): Promise<void> {
    this.#running ??= this.#runSteps();
    return this.#running;
  }

  async #runSteps(): Promise<void> {
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
        console.error(`\n${signal}: stopping the servers`);
        void this.run().then(() => process.exit(code));
      });
    }
  }
}
