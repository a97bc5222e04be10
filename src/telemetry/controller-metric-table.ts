import type { Metric } from './metric-table.ts';

const queue = ['name'];
const powersOfTen = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];

/** The metrics of the controllers' queues. */
export const controllerMetricTable = {
  leader_election_master_status: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Whether this process is the one that leads: 1 if so.',
    labels: queue,
  },
  workqueue_adds_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Keys that were put into a queue.',
    labels: queue,
  },
  workqueue_depth: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Keys that wait in a queue.',
    labels: queue,
  },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Time that keys wait in a queue, in seconds.',
    labels: queue,
    buckets: powersOfTen,
  },
  workqueue_retries_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Keys that were put into a queue again because the work on them failed.',
    labels: queue,
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Time that the work on a key takes, in seconds.',
    labels: queue,
    buckets: powersOfTen,
  },
} satisfies Record<string, Metric>;
