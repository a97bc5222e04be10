// Metrics of work queues, with client-go's names.
import type { Histogram, Metrics, NumberSeries } from '../../telemetry/metrics.ts';

export interface WorkQueueSeries {
  readonly adds: NumberSeries;
  readonly depth: NumberSeries;
  readonly retries: NumberSeries;
  readonly waited: Histogram;
  readonly worked: Histogram;
}

export class WorkQueueMetrics {
  readonly #families;

  constructor(meters: Metrics) {
    this.#families = {
      adds: meters.counter('workqueue_adds_total'),
      depth: meters.gauge('workqueue_depth'),
      retries: meters.counter('workqueue_retries_total'),
      waited: meters.histogram('workqueue_queue_duration_seconds'),
      worked: meters.histogram('workqueue_work_duration_seconds'),
    };
  }

  of(name: string): WorkQueueSeries {
    const { adds, depth, retries, waited, worked } = this.#families;
    return {
      adds: adds.child(name),
      depth: depth.child(name),
      retries: retries.child(name),
      waited: waited.child(name),
      worked: worked.child(name),
    };
  }
}
