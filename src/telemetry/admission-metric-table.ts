import type { Metric } from './metric-table.ts';

const short = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** The metrics of admission. */
export const admissionMetricTable = {
  apiserver_admission_controller_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Time that a plugin takes of a write, in seconds.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: short,
  },
  apiserver_admission_step_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Time that all plugins together take of a write to admit or to validate it, in seconds.',
    labels: ['operation', 'rejected', 'type'],
    buckets: short,
  },
  apiserver_admission_webhook_admission_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Time until a webhook has answered, in seconds.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: [...short, 10, 25],
  },
  apiserver_admission_webhook_fail_open_count: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes that went on though a webhook could not be asked.',
    labels: ['name', 'type'],
  },
  apiserver_admission_webhook_rejection_count: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes that failed for a webhook: it refused (no_error), could not be asked, or changed the object in a wrong way.',
    labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  },
  apiserver_admission_webhook_request_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Calls of webhooks, by the code of what came of them.',
    labels: ['code', 'name', 'operation', 'rejected', 'type'],
  },
} satisfies Record<string, Metric>;
