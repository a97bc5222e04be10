// Namespace: schema, printer columns, validation, finalize subresource and resource definition.
// Dialect: names in the service's domain, and rules that differ, of Kubernetes' API or of Orch's own.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { validateTypeAndStatus } from '../../kind/meta/condition-rules.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  isStandardFinalizer,
  unqualifiedFinalizer,
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { allVerbs, resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { nameIsLabel, qualifiedName } from '../../schema/names.ts';
import { named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';

const NamespaceSpec = struct(
  'core/v1.NamespaceSpec',
  {
    finalizers: field(1, list(named('core/v1.FinalizerName', string), { type: 'atomic' }), {
      doc: 'Finalizers that must be removed before the namespace is deleted, in addition to those in its metadata.',
    }),
  },
  { doc: 'The specification of a namespace.' },
);

const NamespaceCondition = struct(
  'core/v1.NamespaceCondition',
  {
    type: field(
      1,
      named(
        'core/v1.NamespaceConditionType',
        openEnum(
          'NamespaceDeletionDiscoveryFailure',
          'NamespaceDeletionContentFailure',
          'NamespaceDeletionGroupVersionParsingFailure',
          'NamespaceContentRemaining',
          'NamespaceFinalizersRemaining',
        ),
      ),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(6, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: "A condition of the namespace's deletion." },
);

const NamespaceStatus = struct(
  'core/v1.NamespaceStatus',
  {
    phase: field(1, named('core/v1.NamespacePhase', publishedEnum('Active', 'Terminating')), {
      default: 'Active',
      doc: 'Active, or Terminating once deletion has started; nothing can be created in a terminating namespace.',
    }),
    conditions: field(
      2,
      list(NamespaceCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: "The observed conditions of the namespace's deletion." },
    ),
  },
  { doc: 'The current status of a namespace.' },
);

export const Namespace = kind(
  'core/v1.Namespace',
  {
    spec: field(2, NamespaceSpec, { doc: 'The specification of the namespace.' }),
    status: field(3, NamespaceStatus, { doc: 'The current status of the namespace.' }),
  },
  {
    doc: 'A scope for object names. Deleting the namespace deletes every object in it.',
  },
);
export type Namespace = Infer<typeof Namespace>;

const namespaceTable: TableLayout<Namespace> = {
  columns: [nameColumn, column('Status', 'Active or Terminating.'), ageColumn],
  cells: (namespace, ages) => [
    namespace.metadata.name ?? '',
    namespace.status.phase ?? '',
    age(namespace, ages),
  ],
};

export const namespaces = (dialect: Dialect) =>
  resource<Namespace>({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
    schema: Namespace,
    table: namespaceTable,
    selectableFieldNames: ['status.phase'],
    selectableFields: ({ status }) => ({ 'status.phase': status.phase ?? '' }),
    applyDefaults: (object) => setNameLabel(object, dialect),
    strategy: {
      validateName: nameIsLabel,
      allowUnconditionalUpdate: true,
      prepareForCreate(object) {
        setNameLabel(object, dialect);
        object.status = { phase: 'Active' };
        const finalizers = object.spec.finalizers ?? [];
        if (finalizers.includes(dialect.finalizers.namespace)) return;
        object.spec.finalizers = [...finalizers, dialect.finalizers.namespace];
      },
      validate: (object) => validateNamespace(object, dialect),
      resetFields: ['status'],
      prepareForUpdate(object, old) {
        object.spec = old.spec;
        object.status = old.status;
      },
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsLabel }),
        ...validateNamespace(object, dialect),
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
      ],
      deleteReturnsObject: !dialect.rules.pendingDeleteReturnsStatus,
      prepareForDelete(object) {
        object.status.phase = 'Terminating';
      },
      // The first delete only sets deletionTimestamp, even if the namespace has no finalizers left.
      awaitsDeletion: ({ metadata, spec }) =>
        metadata.deletionTimestamp === undefined || (spec.finalizers ?? []).length > 0,
    },
    subresources: {
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resetFields: ['spec'],
          prepareForUpdate(object, old) {
            object.spec = old.spec;
          },
          validateUpdate: (object, old) => [
            ...validateMetadataChange(object.metadata, old.metadata),
            ...validateFinalizersQualified(object.metadata, dialect),
            ...validatePhase(object),
            ...(dialect.rules.conditionsAreValidated ? validateTypeAndStatus(object.status.conditions) : []),
          ],
        },
      },
      finalize: {
        verbs: ['update'],
        rules: {
          resetFields: ['status'],
          prepareForUpdate(object, old) {
            object.status = old.status;
          },
          validateUpdate: (object, old) => [
            ...validateMetadataChange(object.metadata, old.metadata),
            ...validateFinalizersQualified(object.metadata, dialect),
            ...validateFinalizers(object, dialect, (i) => `spec.finalizers[${i}]`),
          ],
        },
      },
    },
  });

/** The server always sets the label `kubernetes.io/metadata.name`, so that selectors can match namespaces by name. */
function setNameLabel({ metadata }: Namespace, dialect: Dialect): void {
  if (!metadata.name) return;
  metadata.labels ??= nullPrototypeObject();
  metadata.labels[dialect.labels.namespaceName] = metadata.name;
}

function validateNamespace(object: Namespace, dialect: Dialect): FieldError[] {
  return [
    ...validateFinalizersQualified(object.metadata, dialect),
    ...validateFinalizers(object, dialect, () => 'spec.finalizers'),
  ];
}

function validateFinalizers(
  object: Namespace,
  dialect: Dialect,
  /** kube-apiserver's paths have the finalizer's index only in the finalize subresource. */
  pathOf: (i: number) => string,
): FieldError[] {
  return (object.spec.finalizers ?? []).flatMap((name, i) => {
    const errors = qualifiedName(name).map((problem) => invalid(pathOf(i), name, problem));
    const isUnqualified = !name.includes('/') && !isStandardFinalizer(name, dialect);
    return isUnqualified ? [...errors, invalid(pathOf(i), name, unqualifiedFinalizer)] : errors;
  });
}

/** kube-apiserver writes `Phase` with a capital letter in the path. */
function validatePhase({ metadata, status }: Namespace): FieldError[] {
  if (!metadata.deletionTimestamp && status.phase !== 'Active') {
    return [invalid('status.Phase', status.phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (metadata.deletionTimestamp && status.phase !== 'Terminating') {
    return [
      invalid('status.Phase', status.phase, "may only be 'Terminating' if `deletionTimestamp` is not empty"),
    ];
  }
  return [];
}
