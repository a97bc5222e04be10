// Schemas of the request options: CreateOptions, UpdateOptions, PatchOptions, GetOptions and ListOptions.

import { list } from '../../schema/collections.ts';
import { bool, int64, named, openEnum, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { typeMeta } from './type-meta.ts';

const dryRun = (number: number) =>
  field(number, list(string, { type: 'atomic' }), {
    doc: 'With All, the request runs all stages but nothing is persisted.',
  });
const fieldManager = (number: number) =>
  field(number, string, { doc: 'The field manager that is recorded for the changed fields.' });
const fieldValidation = (number: number) =>
  field(number, string, { doc: 'How unknown and duplicate fields are handled: Ignore, Warn or Strict.' });

export const CreateOptions = struct(
  'meta/v1.CreateOptions',
  { ...typeMeta, dryRun: dryRun(1), fieldManager: fieldManager(3), fieldValidation: fieldValidation(4) },
  { doc: 'The options of a create request.' },
);

export const UpdateOptions = struct(
  'meta/v1.UpdateOptions',
  { ...typeMeta, dryRun: dryRun(1), fieldManager: fieldManager(2), fieldValidation: fieldValidation(3) },
  { doc: 'The options of an update request.' },
);

export const PatchOptions = struct(
  'meta/v1.PatchOptions',
  {
    ...typeMeta,
    dryRun: dryRun(1),
    force: field(2, optional(bool), {
      doc: 'Whether an apply request takes over fields of other field managers.',
    }),
    fieldManager: fieldManager(3),
    fieldValidation: fieldValidation(4),
  },
  { doc: 'The options of a patch request.' },
);

export const GetOptions = struct(
  'meta/v1.GetOptions',
  { ...typeMeta, resourceVersion: field(1, string, { doc: 'The minimum resourceVersion of the result.' }) },
  { doc: 'The options of a get request.' },
);

export const ListOptions = struct(
  'meta/v1.ListOptions',
  {
    ...typeMeta,
    labelSelector: field(1, string, {
      doc: 'Restricts the result to objects that match the label selector.',
    }),
    fieldSelector: field(2, string, {
      doc: 'Restricts the result to objects that match the field selector.',
    }),
    watch: field(3, bool, { doc: 'Watches for changes instead of listing.' }),
    allowWatchBookmarks: field(9, bool, { doc: 'Requests bookmark events.' }),
    resourceVersion: field(4, string, {
      doc: 'The resourceVersion constraint of a list, or the start of a watch.',
    }),
    resourceVersionMatch: field(
      10,
      named('meta/v1.ResourceVersionMatch', openEnum('NotOlderThan', 'Exact')),
      {
        doc: 'How resourceVersion is applied to a list: Exact or NotOlderThan.',
      },
    ),
    timeoutSeconds: field(5, optional(int64), { doc: 'The timeout of the list or watch.' }),
    limit: field(7, int64, {
      doc: 'The maximum number of objects in the response. The response has a continue token if there are more.',
    }),
    continue: field(8, string, { doc: 'The continue token of the previous response.' }),
    sendInitialEvents: field(11, optional(bool), {
      doc: 'Starts the watch with synthetic events for all existing objects.',
    }),
  },
  { doc: 'The options of a list or watch request.' },
);
