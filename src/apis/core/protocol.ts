// Protocol: enum of port protocols.
import { named, publishedEnum } from '../../schema/scalars.ts';

export const protocol = named('core/v1.Protocol', publishedEnum('TCP', 'UDP', 'SCTP'));
