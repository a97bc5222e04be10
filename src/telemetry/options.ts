// Options of logging and metrics.

export interface TelemetryOptions {
  /** Log verbosity (`-v`): 0 logs what an operator must know, 3 adds the access log. */
  readonly verbosity: number;
  /** The previous release, to show metrics that this release hides; otherwise empty. */
  readonly showHiddenMetricsForVersion: string;
  /** Metrics to disable, by name. */
  readonly disabledMetrics: readonly string[];
  /** Allowed label values by `metric,label`: `200,404`. Other values are counted as `unexpected`. */
  readonly allowMetricLabels: Readonly<Record<string, string>>;
  /** YAML file with allowed label values. */
  readonly allowMetricLabelsManifest: string | undefined;
}

export const defaultTelemetryOptions: TelemetryOptions = {
  verbosity: 0,
  showHiddenMetricsForVersion: '',
  disabledMetrics: [],
  allowMetricLabels: {},
  allowMetricLabelsManifest: undefined,
};
