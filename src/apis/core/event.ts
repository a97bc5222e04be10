// Event (core/v1): schema and selectable fields.
import { kind } from '../../kind/meta/kind.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { microTime, time } from '../../schema/time.ts';
import { ObjectReference } from './object-reference.ts';

export const EventSource = struct(
  'core/v1.EventSource',
  {
    component: field(1, string, { doc: 'The component that reported it.' }),
    host: field(2, string, { doc: 'The node on which it was reported.' }),
  },
  { doc: 'Who reported an event.' },
);
export type EventSource = Infer<typeof EventSource>;

const EventSeries = struct(
  'core/v1.EventSeries',
  {
    count: field(1, int32, { doc: 'How often it has happened, up to the last time it was reported.' }),
    lastObservedTime: field(2, microTime, { doc: 'When it last happened.' }),
  },
  { doc: 'Something that keeps happening.' },
);

export const Event = kind(
  'core/v1.Event',
  {
    involvedObject: field(2, ObjectReference, { required: true, doc: 'What it happened to.' }),
    reason: field(3, string, { doc: 'Why, in one word for machines.' }),
    message: field(4, string, { doc: 'What happened, in words for people.' }),
    source: field(5, EventSource, { doc: 'Who reported it.' }),
    firstTimestamp: field(6, time, { doc: 'When it was first noticed.' }),
    lastTimestamp: field(7, time, { doc: 'When it was last noticed.' }),
    count: field(8, int32, { doc: 'How often it has happened.' }),
    type: field(9, string, { doc: 'Normal or Warning; there may be more one day.' }),
    eventTime: field(10, microTime, { doc: 'When it happened. Events of the newer form always have it.' }),
    series: field(11, optional(EventSeries), { doc: 'Present when it keeps happening.' }),
    action: field(12, string, { doc: 'What was done, or failed to be done, about the object.' }),
    related: field(13, optional(ObjectReference), { doc: 'Another object that has to do with it.' }),
    reportingComponent: field(14, string, { alwaysWritten: true, doc: 'The controller that reported it.' }),
    reportingInstance: field(15, string, { alwaysWritten: true, doc: 'Which instance of that controller.' }),
  },
  {
    metadataRequired: true,
    doc: 'A report that something happened. It is kept for a while only, and may be lost.',
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
