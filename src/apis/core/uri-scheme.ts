// URIScheme: enum.
import { named, oneOf } from '../../schema/scalars.ts';

export const uriScheme = named('core/v1.URIScheme', oneOf('HTTP', 'HTTPS'));
