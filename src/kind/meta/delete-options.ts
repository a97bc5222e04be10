// Schema of metav1.DeleteOptions.

import { list } from '../../schema/collections.ts';
import { bool, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { uid } from './object-meta.ts';
import { typeMeta } from './type-meta.ts';

const Preconditions = struct(
  'meta/v1.Preconditions',
  {
    uid: field(1, optional(uid), { doc: 'The UID it must have.' }),
    resourceVersion: field(2, optional(string), { doc: 'The resourceVersion it must have.' }),
  },
  { doc: 'What must be true of an object for the request to be carried out.' },
);

export const DeleteOptions = struct(
  'meta/v1.DeleteOptions',
  {
    ...typeMeta,
    gracePeriodSeconds: field(1, optional(int64), {
      doc: 'How long the object may take to end; 0 is at once. Left out, the kind decides.',
    }),
    preconditions: field(2, optional(Preconditions), {
      doc: 'What must be true of the object to be deleted.',
    }),
    orphanDependents: field(3, optional(bool), {
      doc: 'The older way to say propagationPolicy Orphan (true) or Background (false).',
    }),
    propagationPolicy: field(
      4,
      optional(named('meta/v1.DeletionPropagation', oneOf('Orphan', 'Background', 'Foreground'))),
      { doc: 'What becomes of what the object owns: it stays, goes later, or goes first.' },
    ),
    dryRun: field(5, list(string, { type: 'atomic' }), {
      doc: 'With All, everything is checked and nothing changed.',
    }),
    ignoreStoreReadErrorWithClusterBreakingPotential: field(6, optional(bool), {
      doc: 'Deletes an object that cannot be read any more, without its finalizers being heard. A last resort.',
    }),
  },
  { doc: 'How to delete.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;
