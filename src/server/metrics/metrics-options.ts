// Metric settings from the options.
import { readFileSync } from 'node:fs';
import { apiRelease, previousRelease } from '../../base/release.ts';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { AllowedLabels, MetricsOptions } from '../../telemetry/metrics.ts';
import type { ServerOptions } from '../options.ts';

type MetricOptions = Pick<
  ServerOptions,
  'showHiddenMetricsForVersion' | 'disabledMetrics' | 'allowMetricLabels' | 'allowMetricLabelsManifest'
>;

/** Throws on invalid options. */
export function createMetricsOptions(
  options: MetricOptions,
  dialect: Dialect,
  logger: Logger,
): MetricsOptions {
  const { showHiddenMetricsForVersion: showHiddenFor, allowMetricLabelsManifest: manifestPath } = options;
  const previous = previousRelease(apiRelease);
  if (showHiddenFor !== '' && showHiddenFor !== previous) {
    throw new Error(
      `--show-hidden-metrics-for-version must be omitted or have the value '${previous}'. Only the previous minor version is allowed`,
    );
  }
  return {
    release: apiRelease,
    dialect,
    showHidden: showHiddenFor !== '',
    disabled: options.disabledMetrics,
    allowedLabels: parseAllowedLabels({
      ...(manifestPath === undefined ? {} : readManifest(manifestPath)),
      ...options.allowMetricLabels,
    }),
    warn: (text) => logger.warn({}, text),
  };
}

/** Allowed values by metric and label. An entry is `apiserver_request_total,code` with the values `200,404`. */
function parseAllowedLabels(valuesByMetricAndLabel: Readonly<Record<string, string>>): AllowedLabels {
  const allowed = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of Object.entries(valuesByMetricAndLabel)) {
    const [, metric, label] = /^([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)$/.exec(key) ?? [];
    if (metric === undefined || label === undefined) {
      throw new Error(
        '--allow-metric-labels must have a list of kv pair with format `metricName,labelName=labelValue, labelValue,...`',
      );
    }
    const labels = allowed.get(metric) ?? new Map<string, ReadonlySet<string>>();
    labels.set(label, new Set(values.split(',')));
    allowed.set(metric, labels);
  }
  return allowed;
}

function readManifest(path: string): Record<string, string> {
  const { value } = decodeYaml(readFileSync(path));
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (entries.length === 0 || entries.some(([, values]) => typeof values !== 'string')) {
    throw new Error(
      `${path} is not a map from metric,label to allowed values, such as apiserver_request_total,code: '200,404'`,
    );
  }
  return Object.fromEntries(entries);
}
