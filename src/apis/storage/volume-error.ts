// Schema of VolumeError.

import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const VolumeError = struct(
  'storage/v1.VolumeError',
  {
    time: field(1, time, { doc: 'When it went wrong.' }),
    message: field(2, string, { doc: 'What went wrong: 1024 bytes at most, and nothing secret.' }),
    errorCode: field(3, optional(int32), {
      doc: 'The gRPC code of the error. Needs the feature MutableCSINodeAllocatableCount.',
    }),
  },
  { doc: 'An error of attaching or detaching.' },
);
export type VolumeError = Infer<typeof VolumeError>;
