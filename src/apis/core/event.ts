// Event (core/v1): schema and selectable fields.
import { kind } from '../../kind/meta/kind.ts';
import { int32, microTime, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ObjectReference } from './object-reference.ts';

export const EventSource = struct(
  'core/v1.EventSource',
  {
    component: field(1, string, { doc: 'The component that reported the event.' }),
    host: field(2, string, { doc: 'The node on which the event was reported.' }),
  },
  { doc: 'The reporter of an event.' },
);
export type EventSource = Infer<typeof EventSource>;

const EventSeries = struct(
  'core/v1.EventSeries',
  {
    count: field(1, int32, { doc: 'The number of occurrences so far.' }),
    lastObservedTime: field(2, microTime, { doc: 'The time of the last occurrence.' }),
  },
  { doc: 'A series of repeated events.' },
);

export const Event = kind(
  'core/v1.Event',
  {
    involvedObject: field(2, ObjectReference, { required: true, doc: 'The object that the event is about.' }),
    reason: field(3, string, { doc: 'A short machine-readable reason (CamelCase).' }),
    message: field(4, string, { doc: 'A human-readable description of the event.' }),
    source: field(5, EventSource, { doc: 'The component that reported the event.' }),
    firstTimestamp: field(6, time, { doc: 'The time of the first occurrence.' }),
    lastTimestamp: field(7, time, { doc: 'The time of the last occurrence.' }),
    count: field(8, int32, { doc: 'The number of occurrences.' }),
    type: field(9, string, { doc: 'Normal or Warning. More types may be added.' }),
    eventTime: field(10, microTime, {
      doc: 'The time of the first observation. Required for events of the events group.',
    }),
    series: field(11, optional(EventSeries), { doc: 'Set if the event is part of a series.' }),
    action: field(12, string, { doc: 'The action that was taken, or failed, for the object.' }),
    related: field(13, optional(ObjectReference), { doc: 'A second object of a more complex action.' }),
    reportingComponent: field(14, string, {
      omitEmpty: false,
      doc: 'The name of the controller that reported the event.',
    }),
    reportingInstance: field(15, string, {
      omitEmpty: false,
      doc: 'The instance of the reporting controller.',
    }),
  },
  {
    metadataRequired: true,
    doc: 'A report of an event in the cluster. Events are best effort: they may be lost, and they expire.',
  },
);
export type Event = Infer<typeof Event>;

export const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

/** Selectable fields, under the names of core/v1 and of events.k8s.io/v1. */
export function selectableEventFields(event: Event): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of referenceFields) {
    const value = event.involvedObject[name] ?? '';
    fields[`involvedObject.${name}`] = value;
    fields[`regarding.${name}`] = value;
  }
  return Object.assign(fields, {
    reason: event.reason ?? '',
    reportingComponent: event.reportingComponent,
    reportingController: event.reportingComponent,
    source: event.source.component || event.reportingComponent,
    type: event.type ?? '',
  });
}
