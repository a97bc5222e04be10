// API Priority and Fairness: metrics under upstream's names.
import type { Histogram, Metrics, NumberSeries } from '../telemetry/metrics.ts';

/** The series of one FlowSchema at one priority level. */
export interface FlowSeries {
  readonly dispatched: NumberSeries;
  readonly executing: NumberSeries;
  readonly executingSeats: NumberSeries;
  readonly waiting: NumberSeries;
  /** Times that a queued request was not dispatched because its seats were not free. */
  readonly noAccommodation: NumberSeries;
  /** Time in the queue of requests that were executed, and of those that were rejected. */
  readonly waited: Histogram;
  readonly waitedRejected: Histogram;
  readonly execution: Histogram;
  /** Time until a watch releases its seat. */
  readonly watchStart: Histogram;
  readonly seats: Histogram;
  /** Number of watchers that a write notifies. */
  readonly watchers: Histogram;
  rejected(reason: string): NumberSeries;
}

/** The series of one priority level: its limits and the demand for its seats. */
export interface LevelSeries {
  readonly queueLength: Histogram;
  readonly nominal: NumberSeries;
  readonly lower: NumberSeries;
  readonly upper: NumberSeries;
  readonly current: NumberSeries;
  readonly target: NumberSeries;
  readonly virtualTime: NumberSeries;
  readonly demandHighest: NumberSeries;
  readonly demandAverage: NumberSeries;
  readonly demandDeviation: NumberSeries;
  readonly demandSmoothed: NumberSeries;
}

export class FlowMetrics {
  readonly fairFraction: NumberSeries;
  readonly #families;

  constructor(metrics: Metrics) {
    this.fairFraction = metrics.gauge('apiserver_flowcontrol_seat_fair_frac').child();
    this.#families = {
      dispatched: metrics.counter('apiserver_flowcontrol_dispatched_requests_total'),
      rejected: metrics.counter('apiserver_flowcontrol_rejected_requests_total'),
      executing: metrics.gauge('apiserver_flowcontrol_current_executing_requests'),
      executingSeats: metrics.gauge('apiserver_flowcontrol_current_executing_seats'),
      waiting: metrics.gauge('apiserver_flowcontrol_current_inqueue_requests'),
      noAccommodation: metrics.counter('apiserver_flowcontrol_request_dispatch_no_accommodation_total'),
      wait: metrics.histogram('apiserver_flowcontrol_request_wait_duration_seconds'),
      execution: metrics.histogram('apiserver_flowcontrol_request_execution_seconds'),
      seats: metrics.histogram('apiserver_flowcontrol_work_estimated_seats'),
      watchers: metrics.histogram('apiserver_flowcontrol_watch_count_samples'),
      queueLength: metrics.histogram('apiserver_flowcontrol_request_queue_length_after_enqueue'),
      nominal: metrics.gauge('apiserver_flowcontrol_nominal_limit_seats'),
      lower: metrics.gauge('apiserver_flowcontrol_lower_limit_seats'),
      upper: metrics.gauge('apiserver_flowcontrol_upper_limit_seats'),
      current: metrics.gauge('apiserver_flowcontrol_current_limit_seats'),
      target: metrics.gauge('apiserver_flowcontrol_target_seats'),
      virtualTime: metrics.gauge('apiserver_flowcontrol_current_r'),
      demandHighest: metrics.gauge('apiserver_flowcontrol_demand_seats_high_watermark'),
      demandAverage: metrics.gauge('apiserver_flowcontrol_demand_seats_average'),
      demandDeviation: metrics.gauge('apiserver_flowcontrol_demand_seats_stdev'),
      demandSmoothed: metrics.gauge('apiserver_flowcontrol_demand_seats_smoothed'),
    };
  }

  flow(schema: string, level: string): FlowSeries {
    const families = this.#families;
    return {
      dispatched: families.dispatched.child(schema, level),
      executing: families.executing.child(schema, level),
      executingSeats: families.executingSeats.child(schema, level),
      waiting: families.waiting.child(schema, level),
      noAccommodation: families.noAccommodation.child(schema, level),
      waited: families.wait.child('true', schema, level),
      waitedRejected: families.wait.child('false', schema, level),
      execution: families.execution.child(schema, level, 'regular'),
      watchStart: families.execution.child(schema, level, 'watch'),
      seats: families.seats.child(schema, level),
      watchers: families.watchers.child(schema, level),
      rejected: (reason) => families.rejected.child(schema, level, reason),
    };
  }

  level(level: string): LevelSeries {
    const families = this.#families;
    return {
      queueLength: families.queueLength.child(level),
      nominal: families.nominal.child(level),
      lower: families.lower.child(level),
      upper: families.upper.child(level),
      current: families.current.child(level),
      target: families.target.child(level),
      virtualTime: families.virtualTime.child(level),
      demandHighest: families.demandHighest.child(level),
      demandAverage: families.demandAverage.child(level),
      demandDeviation: families.demandDeviation.child(level),
      demandSmoothed: families.demandSmoothed.child(level),
    };
  }
}
