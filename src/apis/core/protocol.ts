// Protocol: enum of port protocols.
import { named, oneOf } from '../../schema/scalars.ts';

export const protocol = named('core/v1.Protocol', oneOf('TCP', 'UDP', 'SCTP'));
