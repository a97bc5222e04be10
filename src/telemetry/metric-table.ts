// The metrics of the API server, the store and authentication, and the table of all metrics.
import { admissionMetricTable } from './admission-metric-table.ts';
import { controllerMetricTable } from './controller-metric-table.ts';
import { conversionMetricTable } from './conversion-metric-table.ts';
import { flowMetricTable } from './flow-metric-table.ts';
import type { Metric } from './metric.ts';

const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const sloDurationBuckets = durationBuckets.slice(2);
const responseSizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const requestLabels = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const requestLabelsWithDryRun = ['component', 'dry_run', ...requestLabels.slice(1)];
const storedKindLabels = ['group', 'kind', 'version'];

/**
 * All metrics, mirrored in docs/reference/metrics.md. Names, types, labels and levels are upstream's where upstream has
 * the metric.
 */
export const metricTable = {
  ...admissionMetricTable,
  apiserver_audit_error_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Audit events that were lost, by the plugin that failed.',
    labels: ['plugin'],
  },
  apiserver_audit_event_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Audit events that were generated and sent to the backend.',
  },
  apiserver_audit_level_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Requests by the level that the audit policy gives them.',
    labels: ['level'],
  },
  apiserver_audit_requests_rejected_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Requests that were rejected because the audit backend failed.',
  },
  ...conversionMetricTable,
  apiserver_current_inflight_requests: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Requests in flight, by whether they are read-only or mutating.',
    labels: ['request_kind'],
  },
  ...flowMetricTable,
  apiserver_longrunning_requests: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Active long-running requests.',
    labels: requestLabels,
  },
  apiserver_prepared_writes_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes by the thread that prepared them: the serving thread or a worker thread.',
    labels: ['thread'],
  },
  apiserver_registered_watchers: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Open watches.',
    labels: storedKindLabels,
  },
  apiserver_request_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Latency from the request to the end of the response, in seconds.',
    labels: requestLabelsWithDryRun,
    buckets: durationBuckets,
  },
  apiserver_request_sli_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Latency of a request in seconds, without the time spent in webhooks and in priority and fairness queues.',
    labels: requestLabels,
    buckets: sloDurationBuckets,
  },
  apiserver_request_total: {
    type: 'counter',
    level: 'STABLE',
    help: 'Requests by verb, dry run, group, version, resource, scope, component and status code.',
    labels: ['code', ...requestLabelsWithDryRun],
  },
  apiserver_requested_deprecated_apis: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Always 1; the labels are the deprecated APIs that have been requested, and the release that removes them.',
    labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
  },
  apiserver_response_sizes: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Response size in bytes.',
    labels: requestLabels,
    buckets: responseSizeBuckets,
  },
  apiserver_storage_listener_errors_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Changes of objects on which a cache or a controller failed.',
  },
  apiserver_storage_objects: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Stored objects by resource, at the last count.',
    labels: ['resource'],
  },
  apiserver_storage_quarantined_objects: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Objects that a cache leaves out until their next change, because it failed on them.',
  },
  apiserver_storage_out_of_space: {
    type: 'gauge',
    level: 'ALPHA',
    help: '1 while the quota of the store or its disk is used up, else 0.',
  },
  apiserver_storage_quota_bytes: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Quota of the store in bytes; 0 if it has none.',
  },
  apiserver_storage_size_bytes: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Size of the store in bytes.',
    labels: ['storage_cluster_id'],
  },
  apiserver_storage_used_bytes: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'The part of the size that contains data, which counts towards the quota, in bytes.',
  },
  apiserver_validating_admission_policy_check_duration_seconds: {
    type: 'histogram',
    level: 'BETA',
    help: 'Latency of validating admission policy checks that rejected, warned, audited or failed, in seconds.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    buckets: [5e-7, 0.001, 0.01, 0.1, 1],
  },
  apiserver_validating_admission_policy_check_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Validating admission policy checks that rejected, warned, audited or failed, by enforcement action.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
  },
  apiserver_watch_events_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Events sent to watches.',
    labels: storedKindLabels,
  },
  build_info: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Always 1; the labels are the release and its build.',
    labels: [
      'build_date',
      'compiler',
      'git_commit',
      'git_tree_state',
      'git_version',
      'go_version',
      'major',
      'minor',
      'platform',
    ],
    branded: true,
  },
  cardinality_enforcement_unexpected_categorizations_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Label values outside --allow-metric-labels, which are counted as "unexpected".',
  },
  disabled_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Metrics disabled by --disabled-metrics.',
  },
  feature_enabled: {
    type: 'gauge',
    level: 'BETA',
    help: '1 if the feature gate is enabled, else 0, by stage.',
    labels: ['name', 'stage'],
    branded: true,
  },
  healthcheck: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Last result of a health check: 1 success, 0 failure.',
    labels: ['name', 'type'],
    branded: true,
  },
  healthchecks_total: {
    type: 'counter',
    level: 'STABLE',
    help: 'Results of health checks.',
    labels: ['name', 'status', 'type'],
    branded: true,
  },
  hidden_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Metrics that are hidden because of their deprecation.',
  },
  nodejs_eventloop_lag_seconds: {
    type: 'gauge',
    level: 'NONE',
    help: 'Event loop delay since the last scrape, in seconds.',
    labels: ['quantile'],
  },
  nodejs_external_memory_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Memory of V8 objects outside the heap, in bytes.',
  },
  nodejs_heap_size_total_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Size of the V8 heap in bytes.',
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Used size of the V8 heap in bytes.',
  },
  pod_security_evaluations_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Evaluations of pods and pod templates against a Pod Security Standard, by decision.',
    labels: [
      'decision',
      'mode',
      'policy_level',
      'policy_version',
      'request_operation',
      'resource',
      'subresource',
    ],
  },
  process_cpu_seconds_total: {
    type: 'counter',
    level: 'NONE',
    help: 'CPU time in seconds.',
  },
  process_max_fds: {
    type: 'gauge',
    level: 'NONE',
    help: 'Maximum number of open file descriptors.',
  },
  process_open_fds: {
    type: 'gauge',
    level: 'NONE',
    help: 'Open file descriptors.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Resident memory in bytes.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    level: 'NONE',
    help: 'Start time of the process in seconds since the Unix epoch.',
  },
  registered_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Registered metrics, by stability level and by the release that deprecated them.',
    labels: ['deprecated_version', 'stability_level'],
  },
  ...controllerMetricTable,
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metricTable;
