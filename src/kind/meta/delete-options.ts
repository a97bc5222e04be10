// Schema of metav1.DeleteOptions.

import { list } from '../../schema/collections.ts';
import { bool, int64, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { uid } from './object-meta.ts';
import { typeMeta } from './type-meta.ts';

const Preconditions = struct(
  'meta/v1.Preconditions',
  {
    uid: field(1, optional(uid), { doc: 'The required UID.' }),
    resourceVersion: field(2, optional(string), { doc: 'The required resourceVersion.' }),
  },
  { doc: 'Conditions that the object must meet for the request to be executed.' },
);

export const DeleteOptions = struct(
  'meta/v1.DeleteOptions',
  {
    ...typeMeta,
    gracePeriodSeconds: field(1, optional(int64), {
      doc: 'Seconds before the object is deleted; 0 deletes it immediately. Defaults to the grace period of the kind.',
    }),
    preconditions: field(2, optional(Preconditions), {
      doc: 'Conditions that the object must meet for the deletion to be executed.',
    }),
    orphanDependents: field(3, optional(bool), {
      doc: 'Deprecated alias of propagationPolicy: true is Orphan, false is Background.',
    }),
    propagationPolicy: field(
      4,
      optional(named('meta/v1.DeletionPropagation', openEnum('Orphan', 'Background', 'Foreground'))),
      {
        doc: 'What happens to dependents of the object: Orphan (they are kept), Background (they are deleted later) or Foreground (they are deleted first).',
      },
    ),
    dryRun: field(5, list(string, { type: 'atomic' }), {
      doc: 'With All, the request runs all stages but nothing is persisted.',
    }),
    ignoreStoreReadErrorWithClusterBreakingPotential: field(6, optional(bool), {
      doc: 'Deletes an object that can no longer be decoded, without regard to finalizers. A last resort.',
    }),
  },
  { doc: 'The options of a delete request.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;
