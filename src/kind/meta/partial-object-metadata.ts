// Schema of metav1.PartialObjectMetadata.

import { kind } from './kind.ts';

export const PartialObjectMetadata = kind(
  'meta/v1.PartialObjectMetadata',
  {},
  { doc: 'An object of any kind, reduced to its metadata.' },
);
