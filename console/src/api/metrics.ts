// The Prometheus text format of /metrics.

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = samplePattern.exec(line);
    if (!match) continue;
    const [, name = '', labelText = '', valueText = ''] = match;
    const labels: Record<string, string> = {};
    for (const [, key = '', value = ''] of labelText.matchAll(labelPattern)) labels[key] = value;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels, value: Number(valueText) });
    metrics.set(name, samples);
  }
  return metrics;
}

export type SampleFilter = (labels: Readonly<Record<string, string>>) => boolean;

export function sum(metrics: Metrics, name: string, filter: SampleFilter = () => true): number {
  let total = 0;
  for (const { labels, value } of metrics.get(name) ?? []) if (filter(labels)) total += value;
  return total;
}

/** The sums by the value of a label. */
export function sumBy(
  metrics: Metrics,
  name: string,
  label: string,
  filter: SampleFilter = () => true,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of metrics.get(name) ?? []) {
    if (!filter(labels)) continue;
    const key = labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

/**
 * A quantile of the observations between two readings of a histogram, by linear interpolation in its bucket. Undefined
 * without observations.
 */
export function quantileBetween(
  quantile: number,
  before: Metrics,
  after: Metrics,
  name: string,
  filter: SampleFilter = () => true,
): number | undefined {
  const bucketName = `${name}_bucket`;
  const earlier = sumBy(before, bucketName, 'le', filter);
  const buckets = [...sumBy(after, bucketName, 'le', filter)]
    .map(([le, count]) => ({
      bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
      count: count - (earlier.get(le) ?? 0),
    }))
    .sort((one, other) => one.bound - other.bound);
  const total = buckets.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const rank = quantile * total;
  let lowerBound = 0;
  let lowerCount = 0;
  for (const { bound, count } of buckets) {
    if (count >= rank) {
      if (bound === Number.POSITIVE_INFINITY) return lowerBound;
      return lowerBound + ((bound - lowerBound) * (rank - lowerCount)) / Math.max(1e-9, count - lowerCount);
    }
    lowerBound = bound;
    lowerCount = count;
  }
  return lowerBound;
}
