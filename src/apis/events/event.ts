// Event (events.k8s.io/v1): schema, resource definition, and conversion from and to the core/v1 Event, which is
// stored. Most validation is shared with core/v1: events are converted first, so most errors have the field
// names of core/v1.

import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, FormattedValue, invalid, required } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { int32, microTime, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { type Event as CoreEvent, EventSource, selectableEventFields } from '../core/event.ts';
import { eventTable } from '../core/event-table.ts';
import { validateEvent } from '../core/event-validation.ts';
import { formatReference, isSameReference, ObjectReference } from '../core/object-reference.ts';

const EventSeries = struct(
  'events/v1.EventSeries',
  {
    count: field(1, int32, { required: true, doc: 'The number of occurrences so far.' }),
    lastObservedTime: field(2, microTime, { required: true, doc: 'The time of the last occurrence.' }),
  },
  { doc: 'A series of repeated events.' },
);

export const Event = kind(
  'events/v1.Event',
  {
    eventTime: field(2, microTime, { required: true, doc: 'The time of the first observation.' }),
    series: field(3, optional(EventSeries), { doc: 'Set if the event is part of a series.' }),
    reportingController: field(4, string, { doc: 'The name of the controller that reported the event.' }),
    reportingInstance: field(5, string, { doc: 'The instance of the reporting controller.' }),
    action: field(6, string, { doc: 'The action that was taken, or failed, for the object.' }),
    reason: field(7, string, { doc: 'A short machine-readable reason (CamelCase).' }),
    regarding: field(8, ObjectReference, { doc: 'The object that the event is about.' }),
    related: field(9, optional(ObjectReference), { doc: 'A second object of a more complex action.' }),
    note: field(10, string, { doc: 'A human-readable description of the event.' }),
    type: field(11, string, { doc: 'Normal or Warning. More types may be added.' }),
    deprecatedSource: field(12, EventSource, { doc: 'The source field of the core/v1 Event.' }),
    deprecatedFirstTimestamp: field(13, time, {
      doc: 'The firstTimestamp field of the core/v1 Event.',
    }),
    deprecatedLastTimestamp: field(14, time, {
      doc: 'The lastTimestamp field of the core/v1 Event.',
    }),
    deprecatedCount: field(15, int32, { doc: 'The count field of the core/v1 Event.' }),
  },
  { doc: 'A report of an event in the cluster. Events are best effort: they may be lost, and they expire.' },
);
export type Event = Infer<typeof Event>;

export const events = (dialect: Dialect) =>
  resource<Event>({
    group: 'events',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    schema: Event,
    table: eventTable,
    selectableFieldNames: [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
        (name) => `regarding.${name}`,
      ),
      'reason',
      'reportingController',
      'type',
    ],
    selectableFields: (object) => selectableEventFields(toCore(object)),
    conversion: {
      storedVersion: { group: '', version: 'v1' },
      fromStored: (stored) => fromCore(stored as CoreEvent & ApiObject),
      toStored: toCore,
    },
    strategy: {
      validateName: nameIsSubdomain,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      expires: true,
      validatesMetadata: true,
      validate(object) {
        const event = toCore(object);
        return [
          ...validateEvent(event, 'reportingController', dialect),
          ...validateMetadata(event.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
          ...validateFinalizersQualified(event.metadata, dialect),
          ...validateSeries(event),
          ...(event.eventTime ? [] : [required('eventTime')]),
          ...validateType(event),
          ...validateDeprecatedFieldsUnset(event),
        ];
      },
      validateUpdate(object, oldObject) {
        const event = toCore(object);
        const old = toCore(oldObject);
        return [
          ...validateEvent(event, 'reportingController', dialect),
          ...validateMetadataChange(event.metadata, old.metadata),
          ...validateFinalizersQualified(event.metadata, dialect),
          ...(isSameSeries(event, old) ? [] : validateSeries(event)),
          ...validateOnlySeriesChanged(event, old),
        ];
      },
    },
  });

/** Converts to core/v1, which names the fields differently. */
function toCore(event: Event): CoreEvent {
  return {
    ...withoutUndefined({
      reason: event.reason,
      message: event.note,
      firstTimestamp: event.deprecatedFirstTimestamp,
      lastTimestamp: event.deprecatedLastTimestamp,
      count: event.deprecatedCount,
      type: event.type,
      eventTime: event.eventTime,
      series: event.series,
      action: event.action,
      related: event.related,
    }),
    kind: event.kind,
    apiVersion: event.apiVersion,
    metadata: event.metadata,
    involvedObject: event.regarding,
    source: event.deprecatedSource,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  };
}

function fromCore(event: CoreEvent): Event {
  return {
    ...withoutUndefined({
      eventTime: event.eventTime,
      series: event.series && { ...event.series, count: event.series.count ?? 0 },
      reportingController: event.reportingComponent,
      reportingInstance: event.reportingInstance,
      action: event.action,
      reason: event.reason,
      related: event.related,
      note: event.message,
      type: event.type,
      deprecatedFirstTimestamp: event.firstTimestamp,
      deprecatedLastTimestamp: event.lastTimestamp,
      deprecatedCount: event.count,
    }),
    kind: event.kind,
    apiVersion: event.apiVersion,
    metadata: event.metadata,
    regarding: event.involvedObject,
    deprecatedSource: event.source,
  };
}

type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>;
}

function validateSeries({ series }: CoreEvent): FieldError[] {
  if (!series) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime'));
  return errors;
}

function isSameSeries({ series: a }: CoreEvent, { series: b }: CoreEvent): boolean {
  if (!a || !b) return a === b;
  return a.count === b.count && (a.lastObservedTime ?? '') === (b.lastObservedTime ?? '');
}

function validateType({ type = '' }: CoreEvent): FieldError[] {
  return type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)];
}

function validateDeprecatedFieldsUnset({
  firstTimestamp,
  lastTimestamp,
  count,
  source,
}: CoreEvent): FieldError[] {
  const deprecatedFields = { firstTimestamp, lastTimestamp, count, source: source.component || source.host };
  return Object.entries(deprecatedFields)
    .filter(([, value]) => value)
    .map(([name]) => invalid(name, '', 'needs to be unset'));
}

/** Events are immutable except for their series. The order of the errors is kube-apiserver's. */
function validateOnlySeriesChanged(event: CoreEvent, old: CoreEvent): FieldError[] {
  const errors: FieldError[] = [];
  const requireUnchanged = (name: string, isSame: boolean, badValue: unknown) => {
    if (!isSame) errors.push(invalid(name, badValue, 'field is immutable'));
  };
  const requireTextUnchanged = (name: 'reason' | 'message' | 'type' | 'action') =>
    requireUnchanged(name, (event[name] ?? '') === (old[name] ?? ''), event[name] ?? '');
  const requireTimeUnchanged = (name: 'firstTimestamp' | 'lastTimestamp' | 'eventTime') =>
    requireUnchanged(name, (event[name] ?? '') === (old[name] ?? ''), formatGoTime(event[name] ?? ''));

  const involved = event.involvedObject;
  requireUnchanged(
    'involvedObject',
    isSameReference(involved, old.involvedObject),
    formatReference(involved),
  );
  requireTextUnchanged('reason');
  requireTextUnchanged('message');
  const { component = '', host = '' } = event.source;
  const formattedSource = `core.EventSource{Component:${JSON.stringify(component)}, Host:${JSON.stringify(host)}}`;
  const isSameSource = component === (old.source.component ?? '') && host === (old.source.host ?? '');
  requireUnchanged('source', isSameSource, new FormattedValue(formattedSource));
  requireTimeUnchanged('firstTimestamp');
  requireTimeUnchanged('lastTimestamp');
  requireUnchanged('count', (event.count ?? 0) === (old.count ?? 0), event.count ?? 0);
  // kube-apiserver compares `reason` twice.
  requireTextUnchanged('reason');
  requireTextUnchanged('type');
  requireTimeUnchanged('eventTime');
  requireTextUnchanged('action');
  requireUnchanged('related', isSameReference(event.related, old.related), formatReference(event.related));
  const { reportingComponent, reportingInstance } = event;
  requireUnchanged('reportingController', reportingComponent === old.reportingComponent, reportingComponent);
  requireUnchanged('reportingInstance', reportingInstance === old.reportingInstance, reportingInstance);
  return errors;
}

/** Formats a time as Go does: `2020-01-01 00:00:00.5 +0000 UTC`. */
function formatGoTime(timestamp: string): FormattedValue {
  if (timestamp === '') return new FormattedValue('0001-01-01 00:00:00 +0000 UTC');
  const text = timestamp.replace('T', ' ').replace(/(\.[0-9]*?)0*Z$/, '$1Z');
  return new FormattedValue(`${text.replace(/\.?Z$/, '')} +0000 UTC`);
}
