// Metrics of work queues, with client-go's names.
import type { Histogram, Metrics, NumberSeries } from '../../telemetry/metrics.ts';

/** The metrics of one queue. */
export interface WorkQueueSeries {
  readonly adds: NumberSeries;
  readonly depth: NumberSeries;
  readonly retries: NumberSeries;
  /** Seconds between the addition of a key and its reconciliation. */
  readonly queueDuration: Histogram;
  /** Seconds of a reconciliation. */
  readonly workDuration: Histogram;
}

export class WorkQueueMetrics {
  readonly #families;

  constructor(metrics: Metrics) {
    this.#families = {
      adds: metrics.counter('workqueue_adds_total'),
      depth: metrics.gauge('workqueue_depth'),
      retries: metrics.counter('workqueue_retries_total'),
      queueDuration: metrics.histogram('workqueue_queue_duration_seconds'),
      workDuration: metrics.histogram('workqueue_work_duration_seconds'),
    };
  }

  forQueue(name: string): WorkQueueSeries {
    const { adds, depth, retries, queueDuration, workDuration } = this.#families;
    return {
      adds: adds.child(name),
      depth: depth.child(name),
      retries: retries.child(name),
      queueDuration: queueDuration.child(name),
      workDuration: workDuration.child(name),
    };
  }
}
