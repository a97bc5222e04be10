import type { Metric } from './metric-table.ts';

const durations = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const lengths = [0, 10, 25, 50, 100, 250, 500, 1000];

/** The metrics of fairness. */
export const flowMetricTable = {
  apiserver_flowcontrol_current_executing_requests: {
    type: 'gauge',
    level: 'BETA',
    help: 'Requests being worked on; of watches those that begin.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_executing_seats: {
    type: 'gauge',
    level: 'BETA',
    help: 'Seats that requests being worked on take.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_inqueue_requests: {
    type: 'gauge',
    level: 'BETA',
    help: 'Requests that wait in a queue.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_current_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level has now.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_current_r: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Virtual time in seat seconds, at its last change.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_average: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level could have used in the last period, averaged over time.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_high_watermark: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The most seats a level could have used in the last period.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_smoothed: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level could use, smoothed over the periods.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_demand_seats_stdev: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The standard deviation of the seats a level could have used in the last period.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_dispatched_requests_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Requests that were let through.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_lower_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level keeps however much it lends.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_nominal_limit_seats: {
    type: 'gauge',
    level: 'BETA',
    help: 'The seats a level is configured to have.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_rejected_requests_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Requests that were turned away, by why.',
    labels: ['flow_schema', 'priority_level', 'reason'],
  },
  apiserver_flowcontrol_request_dispatch_no_accommodation_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'How often the next request in turn found too few free seats.',
    labels: ['flow_schema', 'priority_level'],
  },
  apiserver_flowcontrol_request_execution_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'How long requests were worked on; of watches, how long they took to begin.',
    labels: ['flow_schema', 'priority_level', 'type'],
    buckets: durations,
  },
  apiserver_flowcontrol_request_queue_length_after_enqueue: {
    type: 'histogram',
    level: 'BETA',
    help: 'How long the queue was that a request was put into.',
    labels: ['priority_level'],
    buckets: lengths,
  },
  apiserver_flowcontrol_request_wait_duration_seconds: {
    type: 'histogram',
    level: 'BETA',
    help: 'How long requests waited in their queue, by whether they were let through then.',
    labels: ['execute', 'flow_schema', 'priority_level'],
    buckets: durations,
  },
  apiserver_flowcontrol_seat_fair_frac: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The part of its target that every level got when seats were last shared out.',
  },
  apiserver_flowcontrol_target_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level asked for when they were shared out.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_upper_limit_seats: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The seats a level can have with what it borrows.',
    labels: ['priority_level'],
  },
  apiserver_flowcontrol_watch_count_samples: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'How many watches were to hear of what a request changes.',
    labels: ['flow_schema', 'priority_level'],
    buckets: [0, 1, 10, 100, 1000, 10_000],
  },
  apiserver_flowcontrol_work_estimated_seats: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'How many seats requests were estimated to take.',
    labels: ['flow_schema', 'priority_level'],
    buckets: [1, 2, 4, 10],
  },
} satisfies Record<string, Metric>;
