// Metrics of leader election and of the controllers' work queues.
import type { Metric } from './metric.ts';

const nameLabels = ['name'];
const durationBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];

export const controllerMetricTable = {
  leader_election_master_status: {
    type: 'gauge',
    level: 'ALPHA',
    help: '1 if this process is the leader, else 0.',
    labels: nameLabels,
  },
  workqueue_adds_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Keys added to a work queue.',
    labels: nameLabels,
  },
  workqueue_depth: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Current depth of a work queue.',
    labels: nameLabels,
  },
  workqueue_queue_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Time that a key waits in a work queue, in seconds.',
    labels: nameLabels,
    buckets: durationBuckets,
  },
  workqueue_retries_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Retries of keys in a work queue.',
    labels: nameLabels,
  },
  workqueue_work_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Time to process a key of a work queue, in seconds.',
    labels: nameLabels,
    buckets: durationBuckets,
  },
} satisfies Record<string, Metric>;
