// API Priority and Fairness: debug endpoints `/debug/api_priority_and_fairness/…`.
import type { Clock } from '../base/clock.ts';
import { booleanParameter } from '../registry/options/query.ts';
import type { PathTable } from '../transport/path-table.ts';
import { sendBytes, textType } from '../transport/response.ts';
import { RequestQueue } from './fair-queuing.ts';
import type { FlowControl } from './flow-control.ts';
import type { PriorityLevel, QueuedRequest } from './priority-level.ts';
import { textTable } from './text-table.ts';

/** Adds the endpoints. With `?includeRequestDetails` the dump of requests has more columns. */
export function addFlowDumps(table: PathTable, flow: Pick<FlowControl, 'levels'>, clock: Clock): void {
  const add = (name: string, rows: (levels: readonly PriorityLevel[], detailed: boolean) => string[][]) =>
    table.add(`/debug/api_priority_and_fairness/${name}`, (exchange) => {
      const levels = [...flow.levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      const detailed = booleanParameter(exchange.query, 'includeRequestDetails') === true;
      sendBytes(exchange, 200, textType, textTable(rows(levels, detailed)));
    });
  add('dump_priority_levels', levelRows);
  add('dump_queues', queueRows);
  add('dump_requests', (levels, detailed) => {
    // The wall clock time at which the monotonic clock was 0.
    const monotonicZeroMs = clock.now() - clock.elapsed();
    return requestRows(levels, detailed, (monotonicMs) => timeText(monotonicZeroMs + monotonicMs));
  });
}

function levelRows(levels: readonly PriorityLevel[]): string[][] {
  const columns = [
    'PriorityLevelName',
    'ActiveQueues',
    'IsIdle',
    'IsQuiescing',
    'WaitingRequests',
    'ExecutingRequests',
    'DispatchedRequests',
    'RejectedRequests',
    'TimedoutRequests',
    'CancelledRequests',
  ];
  return [
    columns,
    ...levels.map(({ name, queues, isIdle, isQuiescing, executing, counts }) =>
      [
        name,
        queues.active.size,
        isIdle,
        isQuiescing,
        queues.waiting,
        executing.size,
        counts.dispatched,
        counts.rejected,
        counts.timedOut,
        counts.cancelled,
      ].map(String),
    ),
  ];
}

function queueRows(levels: readonly PriorityLevel[]): string[][] {
  const columns = [
    'PriorityLevelName',
    'Index',
    'PendingRequests',
    'ExecutingRequests',
    'SeatsInUse',
    'NextDispatchR',
    'InitialSeatsSum',
    'MaxSeatsSum',
    'TotalWorkSum',
  ];
  const rows = levels.flatMap((level) =>
    queuesOf(level).map((queue) => {
      let initialSeats = 0;
      for (const { work } of queue.requests()) initialSeats += work.seats;
      return [
        level.name,
        queue.index,
        queue.waiting,
        queue.executing,
        queue.seatsInUse,
        seatSeconds(queue.nextDispatch),
        initialSeats,
        queue.seatsWaiting,
        seatSeconds(queue.workWaiting),
      ].map(String);
    }),
  );
  return [columns, ...rows];
}

/** With more queues than this, only active ones are shown. */
const maxQueuesShown = 1024;

function queuesOf({ queues, settings }: PriorityLevel): readonly RequestQueue<QueuedRequest>[] {
  if (settings.queues > maxQueuesShown) return queues.sorted;
  // A queue beyond the configured number, which still serves its requests after a reduction, may leave holes before it.
  const queuesByIndex = Array.from(
    { length: settings.queues },
    (_, index) => new RequestQueue<QueuedRequest>(index),
  );
  for (const queue of queues.active.values()) queuesByIndex[queue.index] = queue;
  return queuesByIndex.filter((queue) => queue !== undefined);
}

function seatSeconds(seatMilliseconds: number): string {
  return `${(seatMilliseconds / 1000).toFixed(8)}ss`;
}

/** Upstream's column names; `FlowDistingsher` is its spelling. */
const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const detailColumns = [
  'UserName',
  'Verb',
  'APIPath',
  'Namespace',
  'Name',
  'APIVersion',
  'Resource',
  'SubResource',
];

/** Formats a monotonic time. */
type TimeFormatter = (monotonicMs: number) => string;

function requestRows(
  levels: readonly PriorityLevel[],
  detailed: boolean,
  formatTime: TimeFormatter,
): string[][] {
  const rows = levels.flatMap((level) => {
    const waiting = level.queues.sorted.flatMap((queue) =>
      [...queue.requests()].map((request, index) => requestRow(level, request, index, detailed, formatTime)),
    );
    return [
      ...waiting,
      ...Array.from(level.executing, (request) => requestRow(level, request, -1, detailed, formatTime)),
    ];
  });
  return [detailed ? [...requestColumns, ...detailColumns] : requestColumns, ...rows];
}

/** `index` is the position in the queue, -1 for an executing request. */
function requestRow(
  level: PriorityLevel,
  { flow, queue, work, description, ...request }: QueuedRequest,
  index: number,
  detailed: boolean,
  formatTime: TimeFormatter,
) {
  const row = [
    level.name,
    flow.schema.name,
    String(queue?.index ?? -1),
    String(index),
    flow.distinguisher,
    formatTime(request.arrivedAt),
    String(work.seats),
    String(work.finalSeats),
    `${work.finalMs / 1000}s`,
    request.state === 'waiting' ? '<none>' : formatTime(request.startedAt),
  ];
  if (!detailed) return row;
  const { user, info } = description;
  return [
    ...row,
    user.name,
    info.verb,
    info.path,
    info.namespace,
    info.name,
    info.version,
    info.resource,
    info.subresource,
  ];
}

/** With nanoseconds, as upstream writes times: six zeros after the milliseconds. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000000Z');
}
