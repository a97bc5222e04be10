// /metrics and /metrics/slis in the Prometheus text format.
import type { Exchange } from '../../transport/exchange.ts';
import type { PathTable } from '../../transport/path-table.ts';
import { sendWithHeaders } from '../../transport/response.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** `slis`: service level indicators. */
export type MetricsPage = 'metrics' | 'slis';

export function addMetrics(table: PathTable, render: (page: MetricsPage) => Promise<string>): void {
  const startedAt = String(Math.floor(performance.timeOrigin / 1000));
  const send = async (exchange: Exchange, page: MetricsPage) => {
    const text = await render(page);
    sendWithHeaders(exchange, 200, ['Content-Type', contentType, 'Process-Start-Time-Unix', startedAt], text);
  };
  table.add('/metrics', (exchange) => send(exchange, 'metrics'));
  table.add('/metrics/slis', (exchange) => send(exchange, 'slis'));
}
