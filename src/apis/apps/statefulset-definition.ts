// StatefulSet: resource definition with strategy and subresources (upstream: registry/apps/statefulset).

import { type FieldError, forbidden } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { plainStrategy, statusSubresource } from '../../kind/plain-strategy.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsLabel } from '../../schema/names.ts';
import { scaleSubresource } from '../autoscaling/scale.ts';
import { claimSizeWarnings } from '../core/persistentvolumeclaim-validation.ts';
import { dropDisabledTemplateFields } from '../core/pod-gates.ts';
import { podWarnings } from '../core/pod-warnings.ts';
import { StatefulSet, StatefulSetSpec } from './statefulset.ts';
import { statefulSetTable } from './statefulset-table.ts';
import { validateStatefulSetSpec, validateStatefulSetStatus } from './statefulset-validation.ts';
import { hasNewGeneration } from './workload.ts';

export const statefulsets = (context: KindContext) => {
  const baseStrategy = plainStrategy<StatefulSet>(
    context,
    StatefulSet,
    dropDisabledTemplateFields<StatefulSet>(context, ({ spec }) => spec.template.spec),
  );
  return resource<StatefulSet>({
    group: 'apps',
    version: 'v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    schema: StatefulSet,
    table: statefulSetTable,
    applyDefaults({ spec }) {
      const { type, rollingUpdate } = spec.updateStrategy;
      if (type !== 'RollingUpdate' || !context.features.enabled('MaxUnavailableStatefulSet')) return;
      if (rollingUpdate) rollingUpdate.maxUnavailable ??= 1;
    },
    strategy: {
      ...baseStrategy,
      validateName: nameIsLabel,
      prepareForCreate(object, now) {
        baseStrategy.prepareForCreate(object, now);
        dropMaxUnavailable(object, undefined, context);
      },
      prepareForUpdate(object, old, now) {
        dropMaxUnavailable(object, old, context);
        baseStrategy.prepareForUpdate(object, old, now);
      },
      validate: (object) => [...baseStrategy.validate(object), ...validateStatefulSetSpec(object.spec)],
      validateUpdate: (object, old) => [
        ...baseStrategy.validateUpdate(object, old),
        ...validateStatefulSetSpec(object.spec, old.spec),
        ...validateImmutableFields(object, old),
      ],
      warningsOnCreate: (object) => warnings(object, context),
      warningsOnUpdate: (object, old) => (hasNewGeneration(object, old) ? warnings(object, context) : []),
    },
    subresources: {
      scale: scaleSubresource<StatefulSet>({
        replicas: ({ spec }) => spec.replicas ?? 0,
        setReplicas(object, replicas) {
          object.spec.replicas = replicas;
        },
        currentReplicas: (object) => object.status.replicas,
        selector: ({ spec }) => formatLabelSelector(spec.selector ?? {}),
      }),
      status: statusSubresource(context, StatefulSet, validateStatefulSetStatus),
    },
  });
};

/** Drops maxUnavailable if MaxUnavailableStatefulSet is disabled and the old object does not use it. */
function dropMaxUnavailable(
  object: StatefulSet,
  old: StatefulSet | undefined,
  { features }: KindContext,
): void {
  const { rollingUpdate } = object.spec.updateStrategy;
  if (!rollingUpdate || features.enabled('MaxUnavailableStatefulSet')) return;
  if (old?.spec.updateStrategy.rollingUpdate?.maxUnavailable !== undefined) return;
  delete rollingUpdate.maxUnavailable;
}

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

function validateImmutableFields({ spec }: StatefulSet, { spec: old }: StatefulSet): FieldError[] {
  const encodeImmutableFields = (source: StatefulSetSpec) => {
    const immutableFields: StatefulSetSpec = { ...source };
    for (const name of mutableFields) Reflect.deleteProperty(immutableFields, name);
    return StatefulSetSpec.write({ ...StatefulSetSpec.zero(), ...immutableFields });
  };
  if (encodeImmutableFields(spec) === encodeImmutableFields(old)) return [];
  const names = mutableFields.map((name) => `'${name}'`);
  const last = names.pop();
  return [
    forbidden(
      'spec',
      `updates to statefulset spec for fields other than ${names.join(', ')} and ${last} are forbidden`,
    ),
  ];
}

function warnings({ spec }: StatefulSet, context: KindContext): string[] {
  const messages = podWarnings(spec.template, 'spec.template', context);
  for (const [i, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
    messages.push(...claimSizeWarnings(claim.spec, `spec.volumeClaimTemplates[${i}]`));
  }
  if ((spec.revisionHistoryLimit ?? 0) < 0) {
    messages.push(
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    );
  }
  return messages;
}
