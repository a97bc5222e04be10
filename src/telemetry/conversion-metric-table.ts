// Metrics of conversion webhooks.
import type { Metric } from './metric.ts';

export const conversionMetricTable = {
  apiserver_conversion_webhook_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Latency of a conversion webhook call in seconds.',
    labels: ['failure_type', 'result'],
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
  },
  apiserver_conversion_webhook_request_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Conversion webhook calls by result.',
    labels: ['failure_type', 'result'],
  },
  apiserver_crd_conversion_webhook_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Latency of converting custom resources by webhook, in seconds, by CRD and version.',
    labels: ['crd_name', 'from_version', 'succeeded', 'to_version'],
    buckets: Array.from({ length: 15 }, (_, n) => 0.001 * 2 ** n),
  },
} satisfies Record<string, Metric>;
