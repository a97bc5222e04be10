// Event (core/v1): the resource definition. Events expire after --event-ttl. events.k8s.io serves the same stored
// objects.

import type { Dialect } from '../../dialect/dialect.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { Event, referenceFields, selectableEventFields } from './event.ts';
import { eventTable } from './event-table.ts';
import { validateEvent } from './event-validation.ts';

export const coreEvents = (dialect: Dialect) =>
  resource<Event>({
    group: '',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    schema: Event,
    table: eventTable,
    selectableFieldNames: [
      ...referenceFields.map((name) => `involvedObject.${name}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
    selectableFields: selectableEventFields,
    strategy: {
      validateName: nameIsPathSegment,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
      expires: true,
      validatesMetadata: true,
      // Metadata is validated only if the event is otherwise valid.
      validate(object) {
        const errors = validateEvent(object, 'reportingComponent', dialect);
        return errors.length > 0
          ? errors
          : validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsPathSegment });
      },
      validateUpdate: (object) => validateEvent(object, 'reportingComponent', dialect),
    },
  });
