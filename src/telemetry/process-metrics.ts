import type { Registry } from 'prom-client';

/** What the process uses: processor time, memory, files, the event loop. Loaded when first asked for. */
export class ProcessMetrics {
  #registry: Promise<Registry> | undefined;

  async render(): Promise<string> {
    this.#registry ??= load();
    return (await this.#registry).metrics();
  }
}

async function load(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
