import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const VolumeError = struct('storage/v1.VolumeError', {
  time: field(1, time),
  message: field(2, string),
  errorCode: field(3, optional(int32)),
});
export type VolumeError = Infer<typeof VolumeError>;
