// Metrics of writes by the thread that prepared them.
import type { Metrics } from '../../telemetry/metrics.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';

export function addWriteMetrics(metrics: Metrics, { counts }: Pick<WriteExecutor, 'counts'>): void {
  const writes = metrics.counter('apiserver_prepared_writes_total');
  metrics.onRender(() => {
    writes.child('serving').value = counts.servingThread;
    writes.child('other').value = counts.workerThreads;
  });
}
