// ReplicationController: schema, defaults, printer columns, validation and resource definition.
import { type FieldError, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { age, containerCells, labelText } from '../../kind/table/cells.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
} from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { int32, int64, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { validateCountAtMost, validateNonNegativeCounts } from '../apps/status-counts.ts';
import {
  podNameWarnings,
  validateAlwaysRestartingTemplate,
  validateTemplateMatchesSelector,
} from '../apps/workload.ts';
import { scaleSubresource } from '../autoscaling/scale.ts';
import { conditionStatus } from './condition-status.ts';
import { dropDisabledTemplateFields } from './pod-gates.ts';
import { PodTemplateSpec } from './pod-template-spec.ts';
import { podWarnings } from './pod-warnings.ts';

const ReplicationControllerSpec = struct(
  'core/v1.ReplicationControllerSpec',
  {
    replicas: field(1, optional(int32), {
      default: 1,
      isDefaultPublished: true,
      doc: 'The desired number of pods. Defaults to 1; 0 is allowed.',
    }),
    minReadySeconds: field(4, int32, {
      default: 0,
      isDefaultPublished: true,
      doc: 'Seconds that a new pod must be ready without a container crash before it counts as available.',
    }),
    selector: field(2, mapOf(string, { atomic: true }), {
      doc: 'Selects the pods by label. Must match the labels of the template, to which it defaults.',
    }),
    template: field(3, optional(PodTemplateSpec), { doc: 'The template of the pods.' }),
  },
  { doc: 'The specification of a ReplicationController.' },
);
type ReplicationControllerSpec = Infer<typeof ReplicationControllerSpec>;

const ReplicationControllerCondition = struct(
  'core/v1.ReplicationControllerCondition',
  {
    type: field(1, named('core/v1.ReplicationControllerConditionType', openEnum('ReplicaFailure')), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a ReplicationController.' },
);

const ReplicationControllerStatus = struct(
  'core/v1.ReplicationControllerStatus',
  {
    replicas: field(1, int32, { required: true, doc: 'The number of pods.' }),
    fullyLabeledReplicas: field(2, int32, { doc: 'The number of pods with all labels of the template.' }),
    readyReplicas: field(4, int32, { doc: 'The number of ready pods.' }),
    availableReplicas: field(5, int32, {
      doc: 'The number of pods that have been ready for `minReadySeconds`.',
    }),
    observedGeneration: field(3, int64, { doc: 'The generation that the controller last observed.' }),
    conditions: field(
      6,
      list(ReplicationControllerCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the ReplicationController.' },
    ),
  },
  { doc: 'The current status of a ReplicationController.' },
);

export const ReplicationController = kind(
  'core/v1.ReplicationController',
  {
    spec: field(2, ReplicationControllerSpec, { doc: 'The specification of the ReplicationController.' }),
    status: field(3, ReplicationControllerStatus, {
      doc: 'The most recently observed status of the ReplicationController.',
    }),
  },
  {
    doc: 'Keeps a number of identical pods running. The predecessor of ReplicaSet and Deployment.',
    defaults({ metadata, spec }) {
      const labels = spec.template?.metadata.labels;
      if (!labels) return;
      if (isEmpty(spec.selector)) spec.selector = { ...labels };
      if (isEmpty(metadata.labels)) metadata.labels = { ...labels };
    },
  },
);
export type ReplicationController = Infer<typeof ReplicationController>;

const isEmpty = (map: Readonly<Record<string, string>> = {}) => Object.keys(map).length === 0;

const replicationControllerTable: TableLayout<ReplicationController> = {
  columns: [
    nameColumn,
    column('Desired', 'The desired number of pods.', integer),
    column('Current', 'The current number of pods.', integer),
    column('Ready', 'The number of ready pods.', integer),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(controller, ages) {
    const { spec, status, metadata } = controller;
    return [
      metadata.name ?? '',
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      age(controller, ages),
      ...containerCells(spec.template?.spec),
      labelText(spec.selector),
    ];
  },
};

export const replicationcontrollers = (context: KindContext) => {
  const baseStrategy = plainStrategy<ReplicationController>(
    context,
    ReplicationController,
    dropDisabledTemplateFields<ReplicationController>(context, ({ spec }) => spec.template?.spec),
  );
  return resource<ReplicationController>({
    group: '',
    version: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    // The prefix of upstream's etcd keys.
    storagePrefix: 'controllers',
    schema: ReplicationController,
    table: replicationControllerTable,
    selectableFieldNames: ['status.replicas'],
    selectableFields: ({ status }) => ({ 'status.replicas': String(status.replicas) }),
    strategy: {
      ...baseStrategy,
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...validateSpec(object.spec, context),
        ...validateDeclaratively(object.spec, context),
      ],
      // kube-apiserver runs create validation again on update, so errors of the spec appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...baseStrategy.validate(object),
        ...validateSpec(object.spec, context),
        ...baseStrategy.validateUpdate(object, old),
        ...validateSpec(object.spec, context),
        ...validateDeclaratively(object.spec, context),
      ],
      orphansByDefault: true,
      warningsOnCreate: ({ metadata, spec }) => [
        ...podNameWarnings(metadata),
        ...templateWarnings(spec, context),
      ],
    },
    subresources: {
      scale: scaleSubresource<ReplicationController>({
        replicas: ({ spec }) => spec.replicas ?? 0,
        setReplicas(object, replicas) {
          object.spec.replicas = replicas;
        },
        currentReplicas: (object) => object.status.replicas,
        selector: ({ spec }) => formatLabelSelector({ matchLabels: spec.selector ?? {} }),
      }),
      status: statusSubresource(context, ReplicationController, validateStatus),
    },
  });
};

function validateSpec(spec: ReplicationControllerSpec, context: KindContext): FieldError[] {
  const path = 'spec.template';
  const { selector = {}, template } = spec;
  const isDeclarative = context.features.enabled('DeclarativeValidationTakeover');
  return [
    ...(isDeclarative ? [] : validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds')),
    ...(isEmpty(selector) ? [required('spec.selector')] : []),
    ...(isDeclarative ? [] : validateNonNegative(spec.replicas, 'spec.replicas')),
    ...(template
      ? [
          ...validateTemplateMatchesSelector(template, { matchLabels: selector }, path),
          ...validateAlwaysRestartingTemplate(template, path, 'ReplicationController', context),
        ]
      : [required(path)]),
  ];
}

/** With DeclarativeValidationTakeover, declarative validation reports these errors once, after the handwritten ones. */
function validateDeclaratively(spec: ReplicationControllerSpec, { features }: KindContext): FieldError[] {
  if (!features.enabled('DeclarativeValidationTakeover')) return [];
  return [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
  ];
}

function templateWarnings({ template }: ReplicationControllerSpec, context: KindContext): string[] {
  return template ? podWarnings(template, 'spec.template', context) : [];
}

function validateStatus({ status }: ReplicationController): FieldError[] {
  return [
    ...validateNonNegativeCounts(status, [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
    ]),
    ...validateCountAtMost(status, 'fullyLabeledReplicas', 'replicas'),
    ...validateCountAtMost(status, 'readyReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
  ];
}
