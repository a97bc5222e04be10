// Metrics of admission plugins, webhooks and policies.
import type { Metric } from './metric.ts';

const durationBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

export const admissionMetricTable = {
  apiserver_admission_controller_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Latency of an admission plugin in seconds.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: durationBuckets,
  },
  apiserver_admission_step_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Latency of all mutating or all validating admission plugins together, in seconds.',
    labels: ['operation', 'rejected', 'type'],
    buckets: durationBuckets,
  },
  apiserver_admission_webhook_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Latency of an admission webhook call in seconds.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: [...durationBuckets, 10, 25],
  },
  apiserver_admission_webhook_fail_open_count: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes that were admitted although an admission webhook call failed (failurePolicy Ignore).',
    labels: ['name', 'type'],
  },
  apiserver_admission_webhook_rejection_count: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes that an admission webhook rejected (error_type no_error), or that failed because its call failed or its patch was invalid.',
    labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  },
  apiserver_admission_webhook_request_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Admission webhook calls by status code.',
    labels: ['code', 'name', 'operation', 'rejected', 'type'],
  },
} satisfies Record<string, Metric>;
