// URIScheme: enum.
import { named, publishedEnum } from '../../schema/scalars.ts';

export const uriScheme = named('core/v1.URIScheme', publishedEnum('HTTP', 'HTTPS'));
