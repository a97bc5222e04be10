// Watch metrics: events sent and registered watchers by resource.
import type { ServedResource } from '../../kind/registry.ts';
import type { WatchHub } from '../../store/watch/hub.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function addWatchMetrics(
  metrics: Metrics,
  hub: Pick<WatchHub, 'counts'>,
  storedResources: () => readonly ServedResource[],
): void {
  const events = metrics.counter('apiserver_watch_events_total');
  const watchers = metrics.gauge('apiserver_registered_watchers');
  metrics.onRender(() => {
    for (const resource of storedResources()) {
      const counts = hub.counts.get(resource.prefix);
      if (counts === undefined) continue;
      const labels = [resource.group, resource.kind, resource.version];
      watchers.child(...labels).value = counts.watchers;
      events.child(...labels).value = counts.events;
    }
  });
}
