// HostIP: schema.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const HostIP = struct(
  'core/v1.HostIP',
  { ip: field(1, string, { required: true, doc: 'The IP address.' }) },
  { doc: 'An IP address of the node.' },
);
export type HostIP = Infer<typeof HostIP>;
