// PodTemplate: schema, printer columns and resource definition.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateBuiltInMetadataChange, validateFinalizersQualified } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { containerCells, labelText } from '../../kind/table/cells.ts';
import { column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { dropDisabledPodFields } from './pod-gates.ts';
import { PodTemplateSpec } from './pod-template-spec.ts';
import { validatePodTemplateSpec } from './pod-template-validation.ts';
import { podWarnings } from './pod-warnings.ts';

export const PodTemplate = kind(
  'core/v1.PodTemplate',
  { template: field(2, PodTemplateSpec, { doc: 'The template of the pods.' }) },
  { doc: 'A template from which controllers can create pods.' },
);
export type PodTemplate = Infer<typeof PodTemplate>;

const podTemplateTable: TableLayout<PodTemplate> = {
  columns: [
    nameColumn,
    column('Containers', 'The names of the containers.'),
    column('Images', 'The images of the containers.'),
    column('Pod Labels', 'The labels of the pods.'),
  ],
  cells: ({ metadata, template }) => [
    metadata.name ?? '',
    ...containerCells(template.spec),
    labelText(template.metadata.labels),
  ],
};

export const podtemplates = (context: KindContext) =>
  resource<PodTemplate>({
    group: '',
    version: 'v1',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    schema: PodTemplate,
    table: podTemplateTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      deleteReturnsObject: true,
      prepareForCreate({ metadata, template }) {
        metadata.generation = 1;
        dropDisabledPodFields(template.spec, undefined, context.features);
      },
      prepareForUpdate(object, old) {
        dropDisabledPodFields(object.template.spec, old.template.spec, context.features);
        if (PodTemplateSpec.write(object.template) === PodTemplateSpec.write(old.template)) return;
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      },
      validate: ({ metadata, template }) => [
        ...validateFinalizersQualified(metadata, context.dialect),
        ...validatePodTemplateSpec(template, 'template', context),
      ],
      validateUpdate: ({ metadata, template }, old) => [
        ...validateBuiltInMetadataChange(metadata, old.metadata, context.dialect),
        ...validatePodTemplateSpec(template, 'template', context),
      ],
      warningsOnCreate: ({ template }) => podWarnings(template, 'template', context),
      warningsOnUpdate: ({ metadata, template }, old) =>
        metadata.generation === old.metadata.generation ? [] : podWarnings(template, 'template', context),
    },
  });
