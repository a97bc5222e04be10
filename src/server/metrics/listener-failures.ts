// Logs and counts the errors of the store's listeners, and the objects that are quarantined.
import type { ListenerFailures } from '../../store/listener-failures.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function reportListenerFailures(failures: ListenerFailures, logger: Logger, metrics: Metrics): void {
  const errors = metrics.counter('apiserver_storage_listener_errors_total').child();
  const quarantined = metrics.gauge('apiserver_storage_quarantined_objects').child();
  failures.onFailure(({ error, key }) => {
    errors.value += 1;
    logger.error(
      { object: key, error: describe(error) },
      'failed to process a stored object, which is left out',
    );
  });
  metrics.onRender(() => {
    quarantined.value = failures.quarantined;
  });
}

/** The name and the stack of an error without its message, which may quote the object: a Secret, for example. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}
