import { string } from '../../schema/scalars.ts';
import { field } from '../../schema/struct.ts';

/** What every object sent on its own begins with. Protobuf carries these two in the envelope around the object. */
export const typeMeta = {
  kind: field(1, string, { filled: true, doc: 'Which kind of object this is.' }),
  apiVersion: field(2, string, {
    filled: true,
    doc: 'The group and version that this form of the object belongs to.',
  }),
};
