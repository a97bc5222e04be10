// Resource definition of StorageClass: names, verbs, strategy and subresources.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { StorageClass } from './storageclass.ts';
import { storageClassTable } from './storageclass-table.ts';
import {
  topologyWarnings,
  validateStorageClass,
  validateStorageClassUpdate,
} from './storageclass-validation.ts';

export const storageclasses = ({ dialect }: KindContext) =>
  resource<StorageClass>({
    group: 'storage',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    schema: StorageClass,
    table: storageClassTable(dialect),
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      allowUnconditionalUpdate: true,
      validate: (object) => validateStorageClass(object, dialect),
      warningsOnCreate: (object) => topologyWarnings(object, dialect),
      validateUpdate: (object, old) => validateStorageClassUpdate(object, old, dialect),
      warningsOnUpdate: (object) => topologyWarnings(object, dialect),
    },
  });
