// Metrics of API priority and fairness.
import type { Metric } from './metric.ts';

const durationBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const queueLengthBuckets = [0, 10, 25, 50, 100, 250, 500, 1000];

export const flowMetricTable = {
  apiserver_flowcontrol_current_executing_requests: {
    type: 'gauge',
    level: 'BETA',
    help: 'Requests in execution; a watch counts only while it starts.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_executing_seats: {
    type: 'gauge',
    level: 'BETA',
    help: 'Seats that requests in execution occupy.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_inqueue_requests: {
    type: 'gauge',
    level: 'BETA',
    help: 'Requests waiting in queues.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Current concurrency limit of a priority level, in seats.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_current_r: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Virtual time R(t) of the fair queuing algorithm in seat-seconds, at its last change.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_average: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Time-weighted average of the seat demand in the last adjustment period.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_high_watermark: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Maximum of the seat demand in the last adjustment period.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_smoothed: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Seat demand, smoothed over the adjustment periods.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_stdev: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Time-weighted standard deviation of the seat demand in the last adjustment period.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_dispatched_requests_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Requests that were dispatched for execution.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_lower_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: "Lower bound of a priority level's concurrency limit: the seats it does not lend.",
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_nominal_limit_seats: {
    type: 'gauge',
    level: 'BETA',
    help: 'Configured concurrency limit of a priority level, in seats.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_rejected_requests_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Requests that were rejected, by reason.',
    labels: ['flow_schema', 'priority_level', 'reason'],
  },
  apiserver_flowcontrol_request_dispatch_no_accommodation_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Dispatch attempts that failed because too few seats were free.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_request_execution_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Execution time of requests in seconds; for a watch, the time until it started.',
    labels: ['flow_schema', 'priority_level', 'type'],
    buckets: durationBuckets,
  },
  apiserver_flowcontrol_request_queue_length_after_enqueue: {
    type: 'histogram',
    level: 'BETA',
    help: 'Length of a queue after a request was added to it.',
    labels: ['priority_level'],
    buckets: queueLengthBuckets,
  },
  apiserver_flowcontrol_request_wait_duration_seconds: {
    type: 'histogram',
    level: 'BETA',
    help: 'Time that requests waited in a queue, in seconds, by whether they were then executed.',
    labels: ['execute', 'flow_schema', 'priority_level'],
    buckets: durationBuckets,
  },
  apiserver_flowcontrol_seat_fair_frac: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Fraction of its target that each priority level received in the last adjustment of limits.',
  },
  apiserver_flowcontrol_target_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Target of a priority level in the last adjustment of limits, in seats.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_upper_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: "Upper bound of a priority level's concurrency limit: its seats and those it may borrow.",
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_watch_count_samples: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Number of watches that receive the change of a write request.',
    labels: ['flow_schema', 'priority_level'],
    buckets: [0, 1, 10, 100, 1000, 10_000],
  },
  apiserver_flowcontrol_work_estimated_seats: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Estimated seats of a request.',
    labels: ['flow_schema', 'priority_level'],
    buckets: [1, 2, 4, 10],
  },
} satisfies Record<string, Metric>;
