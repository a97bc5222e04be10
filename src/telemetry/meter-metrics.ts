// Metrics about the metrics registry itself.
import type { Metrics } from './metrics.ts';

export function addMeterMetrics(meters: Metrics): void {
  const registered = meters.counter('registered_metrics_total');
  const hidden = meters.counter('hidden_metrics_total').child();
  const disabled = meters.counter('disabled_metrics_total').child();
  const unexpected = meters.counter('cardinality_enforcement_unexpected_categorizations_total').child();
  meters.onRender(() => {
    const { tally } = meters;
    const counts = new Map<string, number>();
    for (const { level, deprecatedSince } of tally.shown) {
      if (level === 'NONE') continue;
      const key = `${level} ${deprecatedSince}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      const [level = '', deprecatedSince = ''] = key.split(' ');
      registered.child(deprecatedSince, level).value = count;
    }
    hidden.value = tally.hidden;
    disabled.value = tally.disabled;
    unexpected.value = tally.unexpected;
  });
}
