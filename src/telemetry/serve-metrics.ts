import { sendWith } from '../http/answer.ts';
import type { PathTable } from '../http/paths/path-table.ts';
import type { Meters } from './meters.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import type { StorageMetrics } from './storage-metrics.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export interface ServedMetrics {
  readonly meters: Meters;
  readonly storage: StorageMetrics;
  /** Left out where the process belongs to somebody else. */
  readonly process?: ProcessMetrics;
}

export function addMetrics(table: PathTable, { meters, storage, process }: ServedMetrics): void {
  const startedAt = String(Math.floor(performance.timeOrigin / 1000));
  table.add('/metrics', async (exchange) => {
    await storage.refresh();
    const text = meters.render() + (process?.render() ?? '');
    sendWith(exchange, 200, ['Content-Type', contentType, 'Process-Start-Time-Unix', startedAt], text);
  });
}
