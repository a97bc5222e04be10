// Metrics of the metrics registry: registered, hidden and disabled metrics.
import type { Metrics } from './metrics.ts';

export function addRegistryMetrics(metrics: Metrics): void {
  const registered = metrics.counter('registered_metrics_total');
  const hidden = metrics.counter('hidden_metrics_total').child();
  const disabled = metrics.counter('disabled_metrics_total').child();
  const unexpected = metrics.counter('cardinality_enforcement_unexpected_categorizations_total').child();
  metrics.onRender(() => {
    const { summary } = metrics;
    /** Number of metrics by `level deprecatedSince`. */
    const counts = new Map<string, number>();
    for (const { level, deprecatedSince } of summary.registered) {
      if (level === 'NONE') continue;
      const key = `${level} ${deprecatedSince}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      const [level = '', deprecatedSince = ''] = key.split(' ');
      registered.child(deprecatedSince, level).value = count;
    }
    hidden.value = summary.hidden;
    disabled.value = summary.disabled;
    unexpected.value = summary.unexpected;
  });
}
