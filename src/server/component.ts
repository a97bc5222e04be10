// Components: the parts of a server that start, reset and close in the order of their dependencies.
import { Unreadable } from '../kind/storage/unreadable.ts';
import type { Logger } from '../telemetry/log.ts';

/** A part with a lifecycle. A method that it lacks has nothing to do. */
export interface Component {
  /** Resolves once components that depend on it can start. */
  start?(): Promise<void> | void;
  /** The store was restored to another state: drops everything derived from the previous one. */
  reset?(): void;
  /** Resolves once it uses none of its dependencies any more. */
  close?(): Promise<void> | void;
}

/** The components of a server, in the order of their dependencies: a component is added after those that it uses. */
export class Components {
  readonly #components: Component[] = [];
  #closing: Promise<void> | undefined;

  add<T extends Component>(component: T): T {
    this.#components.push(component);
    return component;
  }

  reset(): void {
    for (const component of this.#components) component.reset?.();
  }

  /** Closes every component once, in reverse order, also after a failed start. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const component of this.#components.toReversed()) await component.close?.();
  }
}

/**
 * Starts components that do not depend on each other. A corrupt object in the store is reported and does not keep the
 * server from starting, because a client can delete it only while the server runs.
 */
export async function startTogether(logger: Logger, ...components: readonly Component[]): Promise<void> {
  const start = async (component: Component) => {
    try {
      await component.start?.();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      logger.error({ err: error }, 'failed to start a component because of a corrupt object');
    }
  };
  await Promise.all(components.map(start));
}
