import { admissionMetricTable } from './admission-metric-table.ts';
import { controllerMetricTable } from './controller-metric-table.ts';
import { conversionMetricTable } from './conversion-metric-table.ts';
import { flowMetricTable } from './flow-metric-table.ts';

/** What a metric promises: the more stable, the longer it stays as it is. */
export type MetricLevel = 'ALPHA' | 'BETA' | 'STABLE' | 'INTERNAL' | 'NONE';

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** `NONE`: named by a convention of others, who say nothing of levels either. */
  readonly level: MetricLevel;
  readonly help: string;
  /** By name, which is the order in which values are given. */
  readonly labels?: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** Its name begins with the service's. */
  readonly branded?: true;
  /** The release that brought it and the one that announced its end: three releases later it is hidden. */
  readonly deprecated?: { readonly introduced: string; readonly since: string };
}

const durations = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const withinObjective = durations.slice(2);
const sizes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const request = ['component', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'];
const requestWithDryRun = ['component', 'dry_run', ...request.slice(1)];
const storedKind = ['group', 'kind', 'version'];

/** Every metric there is, mirrored in docs/reference/metrics.md. Names, types, labels and levels are upstream's where it has them. */
export const metricTable = {
  ...admissionMetricTable,
  apiserver_audit_error_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Audit events that could not be kept, by the plugin that failed.',
    labels: ['plugin'],
  },
  apiserver_audit_event_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Audit events that were made and sent to the backend.',
  },
  apiserver_audit_level_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Requests by the level that the audit policy has for them.',
    labels: ['level'],
  },
  apiserver_audit_requests_rejected_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Requests that were refused because the audit backend failed.',
  },
  ...conversionMetricTable,
  apiserver_current_inflight_requests: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Requests being worked on, by whether they may change something.',
    labels: ['request_kind'],
  },
  ...flowMetricTable,
  apiserver_longrunning_requests: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Long-running requests that are active now.',
    labels: request,
  },
  apiserver_registered_watchers: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Watches that are open.',
    labels: storedKind,
  },
  apiserver_request_duration_seconds: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Time from a request to the end of its answer, in seconds.',
    labels: requestWithDryRun,
    buckets: durations,
  },
  apiserver_request_sli_duration_seconds: {
    type: 'histogram',
    level: 'ALPHA',
    help: 'Time to answer a request without what others take of it (webhooks, queues), in seconds.',
    labels: request,
    buckets: withinObjective,
  },
  apiserver_request_total: {
    type: 'counter',
    level: 'STABLE',
    help: 'Requests by verb, dry run, group, version, resource, scope, component and response code.',
    labels: ['code', ...requestWithDryRun],
  },
  apiserver_requested_deprecated_apis: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Always 1; the labels say which deprecated APIs have been requested, and the release that removes them.',
    labels: ['group', 'removed_release', 'resource', 'subresource', 'version'],
  },
  apiserver_response_sizes: {
    type: 'histogram',
    level: 'STABLE',
    help: 'Size of answers in bytes.',
    labels: request,
    buckets: sizes,
  },
  apiserver_storage_objects: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Stored objects by resource, when they were last counted.',
    labels: ['resource'],
  },
  apiserver_storage_size_bytes: {
    type: 'gauge',
    level: 'STABLE',
    help: 'Bytes the store takes.',
    labels: ['storage_cluster_id'],
  },
  apiserver_validating_admission_policy_check_duration_seconds: {
    type: 'histogram',
    level: 'BETA',
    help: 'How long the checks of policies took that found fault with a write.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    buckets: [5e-7, 0.001, 0.01, 0.1, 1],
  },
  apiserver_validating_admission_policy_check_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Checks of policies that found fault with a write, by what came of that.',
    labels: ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
  },
  apiserver_watch_events_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Events sent to watches.',
    labels: storedKind,
  },
  apiserver_writes_worked_out_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Writes by the thread that worked them out: the serving one, or another while that is busy.',
    labels: ['thread'],
  },
  build_info: {
    type: 'gauge',
    level: 'ALPHA',
    help: 'Always 1; the labels say which release this is and what it runs on.',
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
    help: 'Label values that --allow-metric-labels does not name, and that count as "unexpected".',
  },
  disabled_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Metrics that --disabled-metrics turned off.',
  },
  feature_enabled: {
    type: 'gauge',
    level: 'BETA',
    help: 'Whether a feature is on, and the stage it is in.',
    labels: ['name', 'stage'],
    branded: true,
  },
  healthcheck: {
    type: 'gauge',
    level: 'STABLE',
    help: 'How a health check ended when it was last asked: 1 well, 0 not.',
    labels: ['name', 'type'],
    branded: true,
  },
  healthchecks_total: {
    type: 'counter',
    level: 'STABLE',
    help: 'How often a health check ended how.',
    labels: ['name', 'status', 'type'],
    branded: true,
  },
  hidden_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Metrics that are too long deprecated to be shown.',
  },
  nodejs_eventloop_lag_seconds: {
    type: 'gauge',
    level: 'NONE',
    help: 'How late the event loop was, since this was last asked for.',
    labels: ['quantile'],
  },
  nodejs_external_memory_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Bytes held by objects outside the heap.',
  },
  nodejs_heap_size_total_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Bytes the JavaScript heap has taken.',
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    level: 'NONE',
    help: 'Bytes of the JavaScript heap in use.',
  },
  pod_security_evaluations_total: {
    type: 'counter',
    level: 'ALPHA',
    help: 'Pods, and what makes pods, that were held against a Pod Security Standard, by what came of it.',
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
    help: 'Processor time used, in seconds.',
  },
  process_max_fds: {
    type: 'gauge',
    level: 'NONE',
    help: 'The most file descriptors there may be.',
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
    help: 'Start of the process since the epoch, in seconds.',
  },
  registered_metrics_total: {
    type: 'counter',
    level: 'BETA',
    help: 'Metrics there are, by level and by the release that deprecated them.',
    labels: ['deprecated_version', 'stability_level'],
  },
  ...controllerMetricTable,
} as const satisfies Record<string, Metric>;

export type MetricTable = Readonly<Record<string, Metric>>;
export type MetricName = keyof typeof metricTable;
