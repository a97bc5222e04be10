// Schema of metav1.Status.

import { list } from '../../schema/collections.ts';
import { int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ListMeta } from './list-meta.ts';
import { uid } from './object-meta.ts';
import { typeMeta } from './type-meta.ts';

const StatusCause = struct(
  'meta/v1.StatusCause',
  {
    reason: field(1, named('meta/v1.CauseType', string), { doc: 'What is wrong, in one word for machines.' }),
    message: field(2, string, { doc: 'What is wrong, in words for people.' }),
    field: field(3, string, { doc: 'The field it is about, as a path.' }),
  },
  { doc: 'One of the things wrong with a request.' },
);

export const StatusDetails = struct(
  'meta/v1.StatusDetails',
  {
    name: field(1, string, { doc: 'The name of the object.' }),
    group: field(2, string, { doc: 'Its group.' }),
    kind: field(3, string, { doc: 'Its kind, or the name of the resource.' }),
    uid: field(6, uid, { doc: 'Its UID.' }),
    causes: field(4, list(StatusCause, { type: 'atomic' }), { doc: 'All that is wrong.' }),
    retryAfterSeconds: field(5, int32, { doc: 'When to try again.' }),
  },
  { doc: 'What a Status is about.' },
);

export const Status = struct(
  'meta/v1.Status',
  {
    ...typeMeta,
    metadata: field(1, ListMeta, { doc: 'Metadata of the answer.' }),
    status: field(2, string, { doc: 'Success or Failure.' }),
    message: field(3, string, { doc: 'What happened, in words for people.' }),
    reason: field(4, named('meta/v1.StatusReason', string), {
      doc: 'Why it failed, in one word for machines.',
    }),
    details: field(5, optional(StatusDetails), { doc: 'What it is about.' }),
    code: field(6, int32, { doc: 'The HTTP status code.' }),
  },
  { doc: 'The outcome of a request that has no object to return.' },
);
export type Status = Infer<typeof Status>;
