import { type ControllerName, knownControllers, runsController } from '../names.ts';
import type { Controller, ControllerContext } from './controller.ts';

export type MakeController = (context: ControllerContext) => Controller | undefined;

/** The controllers that were asked for, started and stopped together. */
export class ControllerSet {
  readonly #makers: Readonly<Record<ControllerName, MakeController>>;
  readonly #asked: readonly string[];
  readonly #contextOf: (name: ControllerName) => ControllerContext;
  #running: Controller[] = [];
  #stopping: Promise<unknown> | undefined;

  constructor(
    makers: Readonly<Record<ControllerName, MakeController>>,
    asked: readonly string[],
    contextOf: (name: ControllerName) => ControllerContext,
  ) {
    this.#makers = makers;
    this.#asked = asked;
    this.#contextOf = contextOf;
  }

  /** Resolves once whatever everybody may count on is there. */
  async start(): Promise<void> {
    // Those of the last time may still be at work.
    await this.#stopping;
    for (const name of knownControllers) {
      if (!runsController(this.#asked, name)) continue;
      const controller = this.#makers[name](this.#contextOf(name));
      if (controller) this.#running.push(controller);
    }
    await Promise.all(this.#running.map((controller) => controller.start()));
  }

  reset(): void {
    for (const controller of this.#running) controller.reset();
  }

  async stop(): Promise<void> {
    const stopped = this.#running.reverse();
    this.#running = [];
    this.#stopping = Promise.all(stopped.map((controller) => controller.close()));
    await this.#stopping;
  }
}
