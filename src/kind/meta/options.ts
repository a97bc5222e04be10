// Schemas of the request options: CreateOptions, UpdateOptions, PatchOptions, GetOptions and ListOptions.

import { list } from '../../schema/collections.ts';
import { bool, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { typeMeta } from './type-meta.ts';

const dryRun = (number: number) =>
  field(number, list(string, { type: 'atomic' }), {
    doc: 'With All, everything is checked and nothing changed.',
  });
const fieldManager = (number: number) =>
  field(number, string, { doc: 'Who is to be recorded as the manager of the fields set.' });
const fieldValidation = (number: number) =>
  field(number, string, { doc: 'What to do about unknown and duplicate fields: Ignore, Warn or Strict.' });

export const CreateOptions = struct(
  'meta/v1.CreateOptions',
  { ...typeMeta, dryRun: dryRun(1), fieldManager: fieldManager(3), fieldValidation: fieldValidation(4) },
  { doc: 'How to create.' },
);

export const UpdateOptions = struct(
  'meta/v1.UpdateOptions',
  { ...typeMeta, dryRun: dryRun(1), fieldManager: fieldManager(2), fieldValidation: fieldValidation(3) },
  { doc: 'How to replace.' },
);

export const PatchOptions = struct(
  'meta/v1.PatchOptions',
  {
    ...typeMeta,
    dryRun: dryRun(1),
    force: field(2, optional(bool), { doc: 'Whether an apply takes over fields that others manage.' }),
    fieldManager: fieldManager(3),
    fieldValidation: fieldValidation(4),
  },
  { doc: 'How to patch.' },
);

export const GetOptions = struct(
  'meta/v1.GetOptions',
  { ...typeMeta, resourceVersion: field(1, string, { doc: 'How new the answer must be.' }) },
  { doc: 'How to read one object.' },
);

export const ListOptions = struct(
  'meta/v1.ListOptions',
  {
    ...typeMeta,
    labelSelector: field(1, string, { doc: 'Only objects whose labels fit.' }),
    fieldSelector: field(2, string, { doc: 'Only objects whose fields fit.' }),
    watch: field(3, bool, { doc: 'Report changes as they happen.' }),
    allowWatchBookmarks: field(9, bool, { doc: 'Now and then say how far the watch has come.' }),
    resourceVersion: field(4, string, { doc: 'How new the answer must be, or where the watch begins.' }),
    resourceVersionMatch: field(10, named('meta/v1.ResourceVersionMatch', oneOf('NotOlderThan', 'Exact')), {
      doc: 'Whether resourceVersion is the very state asked for, or the oldest that will do.',
    }),
    timeoutSeconds: field(5, optional(int64), { doc: 'When to end the watch or give up the list.' }),
    limit: field(7, int64, { doc: 'How many objects at most; there may be more to ask for.' }),
    continue: field(8, string, { doc: 'What the last part of the list said, to get the next.' }),
    sendInitialEvents: field(11, optional(bool), { doc: 'Begin the watch with all that is there.' }),
  },
  { doc: 'How to list or watch.' },
);
