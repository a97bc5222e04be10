// /metrics and /metrics/slis in the Prometheus text format.
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Exchange } from '../../transport/exchange.ts';
import type { PathTable } from '../../transport/path-table.ts';
import { sendWithHeaders } from '../../transport/response.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export interface ServedMetrics {
  readonly metrics: Metrics;
  /** Storage metrics are counted when the page is scraped. */
  readonly storage: { refresh(): Promise<void> };
  /** Service level indicators, for /metrics/slis. */
  readonly sliMetrics: Metrics;
}

export function addMetrics(table: PathTable, { metrics, sliMetrics, storage }: ServedMetrics): void {
  const startedAt = String(Math.floor(performance.timeOrigin / 1000));
  const send = (exchange: Exchange, text: string) =>
    sendWithHeaders(exchange, 200, ['Content-Type', contentType, 'Process-Start-Time-Unix', startedAt], text);
  table.add('/metrics', async (exchange) => {
    await storage.refresh();
    send(exchange, metrics.render());
  });
  table.add('/metrics/slis', (exchange) => send(exchange, sliMetrics.render()));
}
