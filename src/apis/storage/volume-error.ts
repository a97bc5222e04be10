// Schema of VolumeError.

import { int32, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const VolumeError = struct(
  'storage/v1.VolumeError',
  {
    time: field(1, time, { doc: 'When the error occurred.' }),
    message: field(2, string, {
      doc: 'A description of the error, at most 1024 bytes, without sensitive information.',
    }),
    errorCode: field(3, optional(int32), {
      doc: 'The gRPC error code. Requires the feature gate MutableCSINodeAllocatableCount.',
    }),
  },
  { doc: 'An error of an attach or detach operation.' },
);
export type VolumeError = Infer<typeof VolumeError>;
