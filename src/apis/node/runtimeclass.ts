// RuntimeClass, the whole kind: schema, printer columns, resource definition and validation.

import { addErrors, duplicate, type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { deprecatedLabelWarning } from '../../kind/deprecated-labels.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateLabels, validateMetadata, validateMetadataChange } from '../../kind/meta/validation.ts';
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
  {
    podFixed: field(1, resourceList, {
      doc: 'The fixed resource overhead of each pod, in addition to its containers.',
    }),
  },
  { doc: 'The resource overhead of running a pod.' },
);

const Scheduling = struct(
  'node/v1.Scheduling',
  {
    nodeSelector: field(1, mapOf(string, { atomic: true }), {
      doc: 'Labels of the nodes that support this RuntimeClass. Merged with the nodeSelector of the pod.',
    }),
    tolerations: field(2, list(Toleration, { type: 'atomic' }), {
      doc: 'Tolerations that are added to those of the pod.',
    }),
  },
  { doc: 'The nodes that support a RuntimeClass.' },
);

export const RuntimeClass = kind(
  'node/v1.RuntimeClass',
  {
    handler: field(2, string, {
      required: true,
      doc: 'The name of the handler in the CRI configuration of the nodes. Immutable.',
    }),
    overhead: field(3, optional(Overhead), { doc: 'The resource overhead of running a pod.' }),
    scheduling: field(4, optional(Scheduling), {
      doc: 'The nodes that support this RuntimeClass. Absent: all nodes.',
    }),
  },
  { doc: 'A container runtime configuration that pods select by name.' },
);
export type RuntimeClass = Infer<typeof RuntimeClass>;

const runtimeClassTable: TableLayout<RuntimeClass> = {
  columns: [nameColumn, column('Handler', 'The name of the handler in the CRI configuration.'), ageColumn],
  cells: (object, ages) => [object.metadata.name ?? '', object.handler, age(object, ages)],
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
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
        ...validateRuntimeClass(object, context),
        ...validateMetadataChange(object.metadata, old.metadata),
        ...(object.handler === old.handler ? [] : [invalid('handler', object.handler, 'field is immutable')]),
      ],
    },
  });

/** Warns about deprecated node labels. */
function selectorWarnings({ scheduling }: RuntimeClass, { dialect }: KindContext): string[] {
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
    const advice = deprecatedLabelWarning(key, dialect);
    return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
  });
}

function validateRuntimeClass(
  { handler, overhead, scheduling }: RuntimeClass,
  context: KindContext,
): FieldError[] {
  const errors = dnsLabel(handler).map((problem) => invalid('handler', handler, problem));
  if (overhead) addErrors(errors, validateOverhead(overhead.podFixed, 'overhead', context));
  if (!scheduling) return errors;
  const { nodeSelector, tolerations = [] } = scheduling;
  if (nodeSelector) validateLabels(nodeSelector, 'scheduling.nodeSelector', errors);
  return [
    ...errors,
    // kube-apiserver repeats `tolerations` in this path.
    ...validateTolerations(tolerations, 'scheduling.tolerations.tolerations'),
    ...validateTolerationsUnique(tolerations),
  ];
}

function validateTolerationsUnique(tolerations: readonly Toleration[]): FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, i) => {
    const encoded = Toleration.write(toleration);
    if (!seen.has(encoded)) {
      seen.add(encoded);
      return [];
    }
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const badValue = goStruct('core.Toleration', [
      ['Key', key],
      ['Operator', operator],
      ['Value', value],
      ['Effect', effect],
      ['TolerationSeconds', 'int64', tolerationSeconds],
    ]);
    return [duplicate(`scheduling.tolerations[${i}]`, badValue)];
  });
}
