// URIScheme: enum.
import { documentedEnum, named } from '../../schema/scalars.ts';

export const uriScheme = named('core/v1.URIScheme', documentedEnum('HTTP', 'HTTPS'));
