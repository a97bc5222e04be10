import { list } from '../../schema/collections.ts';
import { bool, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { uid } from './object-meta.ts';

export const Preconditions = struct(
  'meta/v1.Preconditions',
  {
    uid: field(1, optional(uid), { doc: 'The object must be this very one.' }),
    resourceVersion: field(2, optional(string), { doc: 'The object must not have changed since.' }),
  },
  { doc: 'What must hold for a write to go ahead.' },
);

export const DeleteOptions = struct(
  'meta/v1.DeleteOptions',
  {
    kind: field(1, string, { doc: 'DeleteOptions.' }),
    apiVersion: field(2, string, { doc: 'The version these options are written in.' }),
    gracePeriodSeconds: field(1, optional(int64), {
      doc: 'How long the object may take to end; 0 is at once.',
    }),
    preconditions: field(2, optional(Preconditions), { doc: 'Delete only if these hold.' }),
    orphanDependents: field(3, optional(bool), { doc: 'Deprecated: say it by propagationPolicy.' }),
    propagationPolicy: field(4, optional(named('meta/v1.DeletionPropagation', string)), {
      doc: 'What becomes of the objects this one owns: Orphan, Background or Foreground.',
    }),
    dryRun: field(5, list(string, { type: 'atomic' }), { doc: 'All: check everything, delete nothing.' }),
    ignoreStoreReadErrorWithClusterBreakingPotential: field(6, optional(bool), {
      doc: 'Delete an object whose stored bytes can no longer be read. Its finalizers are not heard.',
    }),
  },
  { doc: 'How an object is to be deleted.' },
);
export type DeleteOptions = Infer<typeof DeleteOptions>;
