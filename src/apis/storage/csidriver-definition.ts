// CSIDriver: the resource definition, with the strategy that runs on writes.

import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { isSameSpec } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { CSIDriver } from './csidriver.ts';
import { csiDriverTable } from './csidriver-table.ts';
import { validateCsiDriverSpec, validateCsiDriverUpdate } from './csidriver-validation.ts';

export const csidrivers = ({ dialect, features }: KindContext) => {
  /** Drops fields of disabled feature gates, unless the old object uses them. */
  const dropDisabledFields = ({ spec }: CSIDriver, old?: CSIDriver) => {
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
      prepareForCreate: (object) => dropDisabledFields(object),
      validate: ({ metadata, spec }) => [
        ...validateFinalizersQualified(metadata, dialect),
        ...validateCsiDriverSpec(spec, 'spec'),
      ],
      prepareForUpdate(object, old) {
        dropDisabledFields(object, old);
        if (!isSameSpec(CSIDriver, object, old)) {
          object.metadata.generation = (old.metadata.generation ?? 0) + 1;
        }
      },
      validateUpdate: (object, old) => validateCsiDriverUpdate(object, old, dialect),
    },
  });
};
