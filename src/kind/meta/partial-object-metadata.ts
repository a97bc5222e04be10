// Schema of metav1.PartialObjectMetadata.

import { kind } from './kind.ts';

export const PartialObjectMetadata = kind(
  'meta/v1.PartialObjectMetadata',
  {},
  { doc: 'The metadata of an object of any kind, and nothing else of it.' },
);
