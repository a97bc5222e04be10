import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Meters } from './meters.ts';

/** What the process uses: processor time, memory, files, the event loop. Looked up when somebody asks. */
export class ProcessMetrics {
  readonly #meters = new Meters();
  readonly #cpu = this.#meters
    .counter('process_cpu_seconds_total', 'Processor time used, in seconds.')
    .child();
  readonly #resident = this.#gauge('process_resident_memory_bytes', 'Resident memory in bytes.');
  readonly #started = this.#gauge(
    'process_start_time_seconds',
    'Start of the process since the epoch, in seconds.',
  );
  readonly #heap = this.#gauge('nodejs_heap_size_used_bytes', 'Bytes of the JavaScript heap in use.');
  readonly #heapTotal = this.#gauge('nodejs_heap_size_total_bytes', 'Bytes the JavaScript heap has taken.');
  readonly #external = this.#gauge('nodejs_external_memory_bytes', 'Bytes held by objects outside the heap.');
  readonly #openFiles = this.#meters.gauge('process_open_fds', 'Open file descriptors.');
  readonly #maxFiles = this.#meters.gauge('process_max_fds', 'The most file descriptors there may be.');
  readonly #lag = this.#meters.gauge(
    'nodejs_eventloop_lag_seconds',
    'How late the event loop was, since this was last asked for.',
    ['quantile'],
  );
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

  render(): string {
    this.#look();
    return this.#meters.render();
  }

  #gauge(name: string, help: string) {
    return this.#meters.gauge(name, help).child();
  }

  #look(): void {
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

  /** Measuring begins when it is first asked for. */
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
