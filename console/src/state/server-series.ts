// Time series of the server, sampled from /metrics while its view is open.
import { signal } from '@preact/signals';
import { type Metrics, parseMetrics, quantileBetween, sum, sumBy } from '../api/metrics.ts';
import { RequestError, type Session } from '../api/session.ts';

/** One plot: a name, a unit, and a value of each line at each sample. */
export interface Plot {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly string[];
  /** Undefined where there is no value. */
  read(before: Metrics, after: Metrics, seconds: number): readonly (number | undefined)[];
}

const intervalMs = 2_000;
const maxSamples = 300;

const rateOf = (before: number, after: number, seconds: number) => Math.max(0, after - before) / seconds;
const isWrite = (verb = '') => ['POST', 'PUT', 'PATCH', 'DELETE', 'APPLY', 'DELETECOLLECTION'].includes(verb);
const isRead = (verb = '') => ['GET', 'LIST'].includes(verb);
const total = 'apiserver_request_total';
const duration = 'apiserver_request_duration_seconds';
const megabyte = 1024 * 1024;

export const plots: readonly Plot[] = [
  {
    id: 'requests',
    title: 'Requests',
    unit: '/s',
    lines: ['reads', 'writes', 'errors'],
    read: (before, after, seconds) =>
      [
        ({ verb }: Record<string, string>) => isRead(verb),
        ({ verb }: Record<string, string>) => isWrite(verb),
        ({ code = '' }: Record<string, string>) => /^[45]/.test(code),
      ].map((filter) => rateOf(sum(before, total, filter), sum(after, total, filter), seconds)),
  },
  {
    id: 'latency',
    title: 'Latency',
    unit: 'ms',
    lines: ['reads p50', 'reads p99', 'writes p99'],
    read: (before, after) =>
      [
        { quantile: 0.5, is: isRead },
        { quantile: 0.99, is: isRead },
        { quantile: 0.99, is: isWrite },
      ].map(({ quantile, is }) => {
        const seconds = quantileBetween(quantile, before, after, duration, ({ verb }) => is(verb));
        return seconds === undefined ? undefined : seconds * 1000;
      }),
  },
  {
    id: 'flow',
    title: 'Flow control',
    unit: 'requests',
    lines: ['executing seats', 'in queues'],
    read: (_, after) => [
      sum(after, 'apiserver_flowcontrol_current_executing_seats'),
      sum(after, 'apiserver_flowcontrol_current_inqueue_requests'),
    ],
  },
  {
    id: 'watchers',
    title: 'Watchers',
    unit: '',
    lines: ['watchers', 'events/s'],
    read: (before, after, seconds) => [
      sum(after, 'apiserver_registered_watchers'),
      rateOf(
        sum(before, 'apiserver_watch_events_total'),
        sum(after, 'apiserver_watch_events_total'),
        seconds,
      ),
    ],
  },
  {
    id: 'store',
    title: 'Store',
    unit: 'MB',
    lines: ['size', 'used'],
    read: (_, after) => [
      sum(after, 'apiserver_storage_size_bytes') / megabyte,
      sum(after, 'apiserver_storage_used_bytes') / megabyte,
    ],
  },
  {
    id: 'queues',
    title: 'Work queues of controllers',
    unit: 'items',
    lines: ['waiting', 'added/s', 'retried/s'],
    read: (before, after, seconds) => [
      sum(after, 'workqueue_depth'),
      rateOf(sum(before, 'workqueue_adds_total'), sum(after, 'workqueue_adds_total'), seconds),
      rateOf(sum(before, 'workqueue_retries_total'), sum(after, 'workqueue_retries_total'), seconds),
    ],
  },
  {
    id: 'webhooks',
    title: 'Admission webhooks',
    unit: '/s',
    lines: ['calls', 'rejections', 'failures ignored'],
    read: (before, after, seconds) =>
      ['request_total', 'rejection_count', 'fail_open_count'].map((suffix) => {
        const name = `apiserver_admission_webhook_${suffix}`;
        return rateOf(sum(before, name), sum(after, name), seconds);
      }),
  },
  {
    id: 'process',
    title: 'Process',
    unit: '',
    lines: ['processor %', 'memory MB'],
    read: (before, after, seconds) => [
      rateOf(sum(before, 'process_cpu_seconds_total'), sum(after, 'process_cpu_seconds_total'), seconds) *
        100,
      sum(after, 'process_resident_memory_bytes') / megabyte,
    ],
  },
];

/** A priority level of flow control. */
export interface PriorityLevel {
  readonly name: string;
  readonly limit: number;
  readonly executing: number;
  readonly queued: number;
  readonly rejected: number;
}

export class ServerSeries {
  /** Counts the samples. */
  readonly version = signal(0);
  readonly error = signal<RequestError | undefined>(undefined);
  readonly times: number[] = [];
  readonly values = new Map<string, (number | null)[][]>();
  latest: Metrics = new Map();
  readonly #session: Session;
  readonly #timer: ReturnType<typeof setInterval>;
  #previous: { readonly metrics: Metrics; readonly at: number } | undefined;

  constructor(session: Session) {
    this.#session = session;
    for (const { id, lines } of plots)
      this.values.set(
        id,
        lines.map(() => []),
      );
    void this.#sample();
    this.#timer = setInterval(() => void this.#sample(), intervalMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  levels(): readonly PriorityLevel[] {
    const read = (name: string) => sumBy(this.latest, `apiserver_flowcontrol_${name}`, 'priority_level');
    const [executing, queued, rejected] = [
      read('current_executing_seats'),
      read('current_inqueue_requests'),
      read('rejected_requests_total'),
    ];
    return [...read('nominal_limit_seats')].map(([name, limit]) => ({
      ...{ name, limit },
      executing: executing.get(name) ?? 0,
      queued: queued.get(name) ?? 0,
      rejected: rejected.get(name) ?? 0,
    }));
  }

  /** The work queues that have had items, by name. */
  queues(): readonly { readonly name: string; readonly depth: number; readonly adds: number }[] {
    const depths = sumBy(this.latest, 'workqueue_depth', 'name');
    return [...sumBy(this.latest, 'workqueue_adds_total', 'name')]
      .map(([name, adds]) => ({ name, adds, depth: depths.get(name) ?? 0 }))
      .filter(({ adds }) => adds > 0)
      .sort((one, other) => other.depth - one.depth || other.adds - one.adds);
  }

  async #sample(): Promise<void> {
    if (document.hidden) return;
    try {
      const metrics = parseMetrics(await this.#session.text('/metrics', { accept: 'text/plain' }));
      this.error.value = undefined;
      this.#add(metrics);
    } catch (error) {
      this.error.value =
        error instanceof RequestError ? error : new RequestError(0, { message: String(error) });
    }
  }

  #add(metrics: Metrics): void {
    const now = performance.now();
    const before = this.#previous;
    this.#previous = { metrics, at: now };
    this.latest = metrics;
    if (before) {
      this.times.push(Date.now() / 1000);
      const seconds = (now - before.at) / 1000;
      for (const plot of plots) {
        const lines = this.values.get(plot.id)!;
        for (const [index, value] of plot.read(before.metrics, metrics, seconds).entries())
          lines[index]!.push(value ?? null);
      }
      if (this.times.length > maxSamples) {
        this.times.shift();
        for (const lines of this.values.values()) for (const line of lines) line.shift();
      }
    }
    this.version.value++;
  }
}
