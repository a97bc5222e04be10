// API Priority and Fairness: metrics under upstream's names.
import type { Histogram, Metrics, NumberChild } from '../telemetry/metrics.ts';

/** The series of one FlowSchema at one priority level. */
export interface FlowSeries {
  readonly dispatched: NumberChild;
  readonly executing: NumberChild;
  readonly executingSeats: NumberChild;
  readonly waiting: NumberChild;
  readonly noAccommodation: NumberChild;
  readonly waited: Histogram;
  readonly waitedRejected: Histogram;
  readonly execution: Histogram;
  readonly watchStart: Histogram;
  readonly seats: Histogram;
  readonly watchers: Histogram;
  rejected(reason: string): NumberChild;
}

/** The series of one priority level. */
export interface LevelSeries {
  readonly queueLength: Histogram;
  readonly nominal: NumberChild;
  readonly lower: NumberChild;
  readonly upper: NumberChild;
  readonly current: NumberChild;
  readonly target: NumberChild;
  readonly virtualTime: NumberChild;
  readonly demandHighest: NumberChild;
  readonly demandAverage: NumberChild;
  readonly demandDeviation: NumberChild;
  readonly demandSmoothed: NumberChild;
}

export class FlowMetrics {
  readonly fairFraction: NumberChild;
  readonly #families;

  constructor(meters: Metrics) {
    this.fairFraction = meters.gauge('apiserver_flowcontrol_seat_fair_frac').child();
    this.#families = {
      dispatched: meters.counter('apiserver_flowcontrol_dispatched_requests_total'),
      rejected: meters.counter('apiserver_flowcontrol_rejected_requests_total'),
      executing: meters.gauge('apiserver_flowcontrol_current_executing_requests'),
      executingSeats: meters.gauge('apiserver_flowcontrol_current_executing_seats'),
      waiting: meters.gauge('apiserver_flowcontrol_current_inqueue_requests'),
      tooWideForNow: meters.counter('apiserver_flowcontrol_request_dispatch_no_accommodation_total'),
      wait: meters.histogram('apiserver_flowcontrol_request_wait_duration_seconds'),
      execution: meters.histogram('apiserver_flowcontrol_request_execution_seconds'),
      seats: meters.histogram('apiserver_flowcontrol_work_estimated_seats'),
      watchers: meters.histogram('apiserver_flowcontrol_watch_count_samples'),
      queueLength: meters.histogram('apiserver_flowcontrol_request_queue_length_after_enqueue'),
      nominal: meters.gauge('apiserver_flowcontrol_nominal_limit_seats'),
      lower: meters.gauge('apiserver_flowcontrol_lower_limit_seats'),
      upper: meters.gauge('apiserver_flowcontrol_upper_limit_seats'),
      current: meters.gauge('apiserver_flowcontrol_current_limit_seats'),
      target: meters.gauge('apiserver_flowcontrol_target_seats'),
      virtualTime: meters.gauge('apiserver_flowcontrol_current_r'),
      demandHighest: meters.gauge('apiserver_flowcontrol_demand_seats_high_watermark'),
      demandAverage: meters.gauge('apiserver_flowcontrol_demand_seats_average'),
      demandDeviation: meters.gauge('apiserver_flowcontrol_demand_seats_stdev'),
      demandSmoothed: meters.gauge('apiserver_flowcontrol_demand_seats_smoothed'),
    };
  }

  flow(schema: string, level: string): FlowSeries {
    const families = this.#families;
    return {
      dispatched: families.dispatched.child(schema, level),
      executing: families.executing.child(schema, level),
      executingSeats: families.executingSeats.child(schema, level),
      waiting: families.waiting.child(schema, level),
      noAccommodation: families.tooWideForNow.child(schema, level),
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
