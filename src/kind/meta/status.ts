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
    reason: field(1, named('meta/v1.CauseType', string), { doc: 'A machine-readable cause of the error.' }),
    message: field(2, string, { doc: 'A human-readable description of the cause.' }),
    field: field(3, string, { doc: 'The path of the field that caused the error.' }),
  },
  { doc: 'A cause of an error.' },
);

export const StatusDetails = struct(
  'meta/v1.StatusDetails',
  {
    name: field(1, string, { doc: 'The name of the object.' }),
    group: field(2, string, { doc: 'The API group of the object.' }),
    kind: field(3, string, { doc: 'The kind of the object, or the name of the resource.' }),
    uid: field(6, uid, { doc: 'The UID of the object.' }),
    causes: field(4, list(StatusCause, { type: 'atomic' }), { doc: 'The causes of the error.' }),
    retryAfterSeconds: field(5, int32, { doc: 'Seconds after which the client should retry.' }),
  },
  { doc: 'The object and the causes of an error.' },
);

export const Status = struct(
  'meta/v1.Status',
  {
    ...typeMeta,
    metadata: field(1, ListMeta, { doc: 'The list metadata.' }),
    status: field(2, string, { doc: 'Success or Failure.' }),
    message: field(3, string, { doc: 'A human-readable description of the result.' }),
    reason: field(4, named('meta/v1.StatusReason', string), {
      doc: 'A machine-readable reason for the failure (CamelCase).',
    }),
    details: field(5, optional(StatusDetails), { doc: 'The object and the causes of the error.' }),
    code: field(6, int32, { doc: 'The HTTP status code.' }),
  },
  { doc: 'The result of a request that does not return another object.' },
);
export type Status = Infer<typeof Status>;
