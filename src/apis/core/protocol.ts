// Protocol: enum of port protocols.
import { documentedEnum, named } from '../../schema/scalars.ts';

export const protocol = named('core/v1.Protocol', documentedEnum('TCP', 'UDP', 'SCTP'));
