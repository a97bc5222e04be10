// RuntimeClass: schema, strategy, validation and printer columns.

import { duplicate, type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { outdatedLabelAdvice } from '../../kind/deprecated-labels.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateLabels, validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { dnsLabel, nameIsSubdomain } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceList } from '../core/resource-list.ts';
import { validateOverhead } from '../core/resource-requirements-validation.ts';
import { Toleration } from '../core/toleration.ts';
import { validateTolerations } from '../core/toleration-validation.ts';

const Overhead = struct(
  'node/v1.Overhead',
  { podFixed: field(1, resourceList, { doc: 'What each pod takes beyond what its containers ask for.' }) },
  { doc: 'What it costs to run a pod this way.' },
);

const Scheduling = struct(
  'node/v1.Scheduling',
  {
    nodeSelector: field(1, mapOf(string, { atomic: true }), {
      doc: 'The labels of nodes that can run pods this way. Added to those that a pod asks for.',
    }),
    tolerations: field(2, list(Toleration, { type: 'atomic' }), {
      doc: 'What pods that run this way tolerate, beside what they say themselves.',
    }),
  },
  { doc: 'Where pods can run this way.' },
);

export const RuntimeClass = kind(
  'node/v1.RuntimeClass',
  {
    handler: field(2, string, {
      required: true,
      doc: 'What nodes call this way of running containers. It cannot be changed.',
    }),
    overhead: field(3, optional(Overhead), { doc: 'What it costs to run a pod this way.' }),
    scheduling: field(4, optional(Scheduling), { doc: 'Where pods can run this way. Without it, anywhere.' }),
  },
  { doc: 'A way to run containers that pods can ask for by name.' },
);
export type RuntimeClass = Infer<typeof RuntimeClass>;

const runtimeClassTable: TableLayout<RuntimeClass> = {
  columns: [nameColumn, column('Handler', 'What nodes call it.'), ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', object.handler, age(object, now)],
};

export const runtimeclasses = (context: KindContext) =>
  resource<RuntimeClass>({
    group: 'node',
    version: 'v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    schema: RuntimeClass,
    table: runtimeClassTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowCreateOnUpdate: true,
      validate: (object) => validateRuntimeClass(object, context),
      warningsOnCreate: (object) => selectorWarnings(object, context),
      warningsOnUpdate: (object) => selectorWarnings(object, context),
      validateUpdate: ({ metadata, handler }, old) => [
        ...validateMetadataChange(metadata, old.metadata),
        ...(handler === old.handler ? [] : [invalid('handler', handler, 'field is immutable')]),
      ],
    },
  });

function selectorWarnings({ scheduling }: RuntimeClass, { dialect }: KindContext): string[] {
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
    const advice = outdatedLabelAdvice(key, dialect);
    return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
  });
}

function validateRuntimeClass(
  { handler, overhead, scheduling }: RuntimeClass,
  context: KindContext,
): FieldError[] {
  const errors = dnsLabel(handler).map((problem) => invalid('handler', handler, problem));
  if (overhead) errors.push(...validateOverhead(overhead.podFixed, 'overhead', context));
  if (!scheduling) return errors;
  const { nodeSelector, tolerations = [] } = scheduling;
  if (nodeSelector) validateLabels(nodeSelector, 'scheduling.nodeSelector', errors);
  return [
    ...errors,
    ...validateTolerations(tolerations, 'scheduling.tolerations.tolerations'),
    ...refuseRepeated(tolerations),
  ];
}

function refuseRepeated(tolerations: readonly Toleration[]): FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, i) => {
    const text = Toleration.write(toleration);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const shown = goStruct('core.Toleration', [
      ['Key', key],
      ['Operator', operator],
      ['Value', value],
      ['Effect', effect],
      ['TolerationSeconds', 'int64', tolerationSeconds],
    ]);
    return [duplicate(`scheduling.tolerations[${i}]`, shown)];
  });
}
