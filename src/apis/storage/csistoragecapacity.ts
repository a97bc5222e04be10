// CSIStorageCapacity: schema, resource definition, validation and warnings.

import type { Dialect } from '../../dialect/index.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { deprecatedLabelWarning } from '../../kind/deprecated-labels.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { dnsSubdomain, nameIsSubdomain } from '../../schema/names.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { mustParseQuantity } from '../core/resource-list.ts';

export const CSIStorageCapacity = kind(
  'storage/v1.CSIStorageCapacity',
  {
    nodeTopology: field(2, optional(LabelSelector), {
      doc: 'Selects the nodes that can access the storage. Absent: none. Empty: all. Immutable.',
    }),
    storageClassName: field(3, string, {
      required: true,
      doc: 'The StorageClass that the capacity is for: a DNS subdomain. Immutable.',
    }),
    capacity: field(4, optional(quantity), {
      doc: 'The available capacity that the driver reported. Absent: unknown or none.',
    }),
    maximumVolumeSize: field(5, optional(quantity), {
      doc: 'The maximum size of a volume. Defaults to capacity; without both, no volume can be created.',
    }),
  },
  { doc: 'The available capacity of a StorageClass in one topology segment, as the CSI driver reported it.' },
);
export type CSIStorageCapacity = Infer<typeof CSIStorageCapacity>;

export const csistoragecapacities = ({ dialect }: KindContext) =>
  resource<CSIStorageCapacity>({
    group: 'storage',
    version: 'v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    schema: CSIStorageCapacity,
    strategy: {
      validateName: nameIsSubdomain,
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateCapacity(object),
      ],
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateCapacity(object),
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateImmutableFields(object, old),
      ],
      warningsOnCreate: (object) => topologyWarnings(object, dialect),
      warningsOnUpdate: (object) => topologyWarnings(object, dialect),
    },
  });

/** Warns about deprecated node labels. */
function topologyWarnings({ nodeTopology = {} }: CSIStorageCapacity, dialect: Dialect): string[] {
  const { matchExpressions = [], matchLabels = {} } = nodeTopology;
  const labelWarnings = (key: string, format: (advice: string) => string) => {
    const advice = deprecatedLabelWarning(key, dialect);
    return advice === undefined ? [] : [format(advice)];
  };
  return [
    ...matchExpressions.flatMap(({ key }, i) =>
      labelWarnings(key, (advice) => `nodeTopology.matchExpressions[${i}].key: ${key} is ${advice}`),
    ),
    ...Object.keys(matchLabels).flatMap((key) =>
      labelWarnings(key, (advice) => `nodeTopology.matchLabels.${key}: ${advice}`),
    ),
  ];
}

function validateCapacity({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] {
  const errors = [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...dnsSubdomain(storageClassName).map((problem) =>
      invalid('storageClassName', storageClassName, problem),
    ),
  ];
  if (capacity !== undefined && mustParseQuantity(capacity).amount < 0n) {
    errors.push(invalid('capacity', capacity, 'must be greater than or equal to 0'));
  }
  return errors;
}

function validateImmutableFields(object: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const errors: FieldError[] = [];
  const encodeTopology = ({ nodeTopology }: CSIStorageCapacity) =>
    nodeTopology && LabelSelector.write(nodeTopology);
  if (encodeTopology(object) !== encodeTopology(old)) {
    errors.push(invalid('nodeTopology', formattedLabelSelector(object.nodeTopology), 'field is immutable'));
  }
  if (object.storageClassName !== old.storageClassName) {
    errors.push(invalid('storageClassName', object.storageClassName, 'field is immutable'));
  }
  return errors;
}
