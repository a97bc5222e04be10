// Process metrics: CPU, memory, file descriptors, event loop lag.
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics, NumberFamily, NumberSeries } from './metrics.ts';

export function addProcessMetrics(registry: Metrics): void {
  const metrics = new ProcessMetrics(registry);
  registry.onRender(() => metrics.collect());
}

class ProcessMetrics {
  readonly #cpu: NumberSeries;
  readonly #resident: NumberSeries;
  readonly #started: NumberSeries;
  readonly #heap: NumberSeries;
  readonly #heapTotal: NumberSeries;
  readonly #external: NumberSeries;
  readonly #openFiles: NumberFamily;
  readonly #maxFiles: NumberFamily;
  readonly #lag: NumberFamily;
  /** Undefined until the first scrape. */
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

  constructor(metrics: Metrics) {
    this.#cpu = metrics.counter('process_cpu_seconds_total').child();
    this.#resident = metrics.gauge('process_resident_memory_bytes').child();
    this.#started = metrics.gauge('process_start_time_seconds').child();
    this.#heap = metrics.gauge('nodejs_heap_size_used_bytes').child();
    this.#heapTotal = metrics.gauge('nodejs_heap_size_total_bytes').child();
    this.#external = metrics.gauge('nodejs_external_memory_bytes').child();
    this.#openFiles = metrics.gauge('process_open_fds');
    this.#maxFiles = metrics.gauge('process_max_fds');
    this.#lag = metrics.gauge('nodejs_eventloop_lag_seconds');
  }

  collect(): void {
    const { user, system } = process.cpuUsage();
    this.#cpu.value = (user + system) / 1e6;
    this.#started.value = performance.timeOrigin / 1000;
    const memory = process.memoryUsage();
    this.#resident.value = memory.rss;
    this.#heap.value = memory.heapUsed;
    this.#heapTotal.value = memory.heapTotal;
    this.#external.value = memory.external;
    if (process.platform === 'linux') this.#countFiles();
    this.#measureLag();
  }

  #countFiles(): void {
    this.#openFiles.child().value = readdirSync('/proc/self/fd').length;
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit !== undefined) this.#maxFiles.child().value = Number(limit);
  }

  /** Measures between two scrapes, so the first one only starts the measurement. */
  #measureLag(): void {
    if (this.#delays === undefined) {
      this.#delays = monitorEventLoopDelay();
      this.#delays.enable();
      return;
    }
    for (const percent of [50, 99]) {
      this.#lag.child(String(percent / 100)).value = this.#delays.percentile(percent) / 1e9;
    }
    this.#lag.child('1').value = this.#delays.max / 1e9;
    this.#delays.reset();
  }
}
