// Metric descriptors: type, stability level, labels and buckets.

/** The stability levels of k8s.io/component-base/metrics. `NONE` for metrics of other conventions (process_*), which have none. */
export type StabilityLevel = 'ALPHA' | 'BETA' | 'STABLE' | 'INTERNAL' | 'NONE';

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly level: StabilityLevel;
  readonly help: string;
  /** In alphabetical order, which is the order in which `child` takes their values. */
  readonly labels?: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** The metric name gets the prefix of the service, such as `kubernetes_`. */
  readonly branded?: true;
  /** The release that introduced the metric, and the one that deprecated it: it is hidden some releases later. */
  readonly deprecated?: { readonly introduced: string; readonly since: string };
}
