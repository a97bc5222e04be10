// Schema of metav1.TypeMeta.

import { string } from '../../schema/scalars.ts';
import { field } from '../../schema/struct.ts';

/** The first fields of every top-level object. Protobuf carries them in the runtime.Unknown envelope instead. */
export const typeMeta = {
  kind: field(1, string, { alwaysSet: true, doc: 'The kind of the object.' }),
  apiVersion: field(2, string, {
    alwaysSet: true,
    doc: 'The API group and version of this representation of the object.',
  }),
};
