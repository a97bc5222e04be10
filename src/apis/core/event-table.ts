// Event: printer columns.

import { since } from '../../kind/table/cells.ts';
import { column, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Event } from './event.ts';

export const eventTable: TableLayout<Event> = {
  columns: [
    column('Last Seen', 'The time since the last occurrence.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'The machine-readable reason.'),
    column('Object', 'The object that the event is about.'),
    wide('Subobject', 'The part of the object that the event is about.'),
    wide('Source', 'The component that reported the event.'),
    column('Message', 'The description of the event.'),
    wide('First Seen', 'The time since the first occurrence.'),
    wide('Count', 'The number of occurrences.'),
    wide('Name', 'The name of the object.', { format: 'name' }),
  ],
  cells(event, ages) {
    const { series, involvedObject, source } = event;
    // Clients of events.k8s.io set eventTime and series, older clients the timestamps and count.
    const firstSeen = event.firstTimestamp || event.eventTime;
    const lastSeen = series ? series.lastObservedTime : event.lastTimestamp || firstSeen;
    const occurrences = series ? (series.count ?? 0) : (event.count ?? 0) || 1;
    const component = source.component || event.reportingComponent || '';
    const host = source.host || event.reportingInstance || '';
    const { kind = '', name = '' } = involvedObject;
    return [
      since(lastSeen, ages),
      event.type ?? '',
      event.reason ?? '',
      name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
      involvedObject.fieldPath ?? '',
      host ? `${component}, ${host}` : component,
      (event.message ?? '').trim(),
      since(firstSeen, ages),
      occurrences,
      event.metadata.name ?? '',
    ];
  },
};
