// The mark of the default StorageClass: that of claims that name none.
import type { Dialect } from '../../dialect/dialect.ts';
import type { StorageClass } from './storageclass.ts';

export const isDefaultStorageClass = (
  { metadata: { annotations = {} } }: StorageClass,
  { annotations: names }: Pick<Dialect, 'annotations'>,
): boolean =>
  annotations[names.defaultStorageClass] === 'true' || annotations[names.betaDefaultStorageClass] === 'true';
