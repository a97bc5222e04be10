import type { Meters } from '../../telemetry/meters.ts';
import type { Writing } from '../../workers/writing.ts';

/** Where writes were worked out. */
export function addWriteMetrics(meters: Meters, { counts }: Pick<Writing, 'counts'>): void {
  const writes = meters.counter('apiserver_writes_worked_out_total');
  meters.onRender(() => {
    writes.child('serving').value = counts.serving;
    writes.child('other').value = counts.other;
  });
}
