// Starts and stops the enabled controllers. With leader election they run while this server leads.
import type { Controller, ControllerContext, ControllerDescriptor } from './controller.ts';

export class ControllerSet {
  readonly #enabled: readonly ControllerDescriptor[];
  readonly #contextFor: (descriptor: ControllerDescriptor) => ControllerContext;
  #running: Controller[] = [];
  #stopping: Promise<unknown> | undefined;

  constructor(
    enabled: readonly ControllerDescriptor[],
    contextFor: (descriptor: ControllerDescriptor) => ControllerContext,
  ) {
    this.#enabled = enabled;
    this.#contextFor = contextFor;
  }

  /** Resolves once the objects exist that clients rely on from the first request, such as default service accounts. */
  async start(): Promise<void> {
    // After leadership was lost and regained, the previous controllers may still be stopping.
    await this.#stopping;
    for (const descriptor of this.#enabled) {
      const controller = descriptor.create(this.#contextFor(descriptor));
      if (controller) this.#running.push(controller);
    }
    await Promise.all(this.#running.map((controller) => controller.start()));
  }

  reset(): void {
    for (const controller of this.#running) controller.reset();
  }

  async stop(): Promise<void> {
    const controllers = this.#running.reverse();
    this.#running = [];
    this.#stopping = Promise.all(controllers.map((controller) => controller.close()));
    await this.#stopping;
  }
}

/** `--controllers`: a name or `*` enables, `-name` disables. `-*` enables none. `hasNodes`: whether the server simulates nodes. */
export function isControllerEnabled(
  selectors: readonly string[],
  { name, isOptIn = false, needsNodes = false }: Omit<ControllerDescriptor, 'create' | 'serviceAccount'>,
  hasNodes: boolean,
): boolean {
  if (selectors.includes(`-${name}`)) return false;
  if (selectors.includes(name)) return true;
  return selectors.includes('*') && !isOptIn && (hasNodes || !needsNodes);
}
