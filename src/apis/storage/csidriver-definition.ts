// Resource definition of CSIDriver: names, verbs, strategy and subresources.

import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { isSameSpec } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { CSIDriver } from './csidriver.ts';
import { csiDriverTable } from './csidriver-table.ts';
import { validateCsiDriverSpec, validateCsiDriverUpdate } from './csidriver-validation.ts';

export const csidrivers = ({ dialect, features }: KindContext) => {
  const dropDisabled = ({ spec }: CSIDriver, old?: CSIDriver) => {
    if (!features.enabled('SELinuxMountReadWriteOncePod') && old?.spec.seLinuxMount === undefined) {
      delete spec.seLinuxMount;
    }
    if (
      !features.enabled('MutableCSINodeAllocatableCount') &&
      old?.spec.nodeAllocatableUpdatePeriodSeconds === undefined
    ) {
      delete spec.nodeAllocatableUpdatePeriodSeconds;
    }
  };
  return resource<CSIDriver>({
    group: 'storage',
    version: 'v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    schema: CSIDriver,
    table: csiDriverTable,
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      prepareForCreate: (object) => dropDisabled(object),
      validate: ({ metadata, spec }) => [
        ...validateFinalizersQualified(metadata, dialect),
        ...validateCsiDriverSpec(spec, 'spec'),
      ],
      prepareForUpdate(object, old) {
        dropDisabled(object, old);
        if (!isSameSpec(CSIDriver, object, old)) {
          object.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      validateUpdate: (object, old) => validateCsiDriverUpdate(object, old, dialect),
    },
  });
};
