// The schema of CustomResourceDefinitionVersion.
import { list } from '../../schema/collections.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, type Struct, struct } from '../../schema/struct.ts';
import type { JSONSchemaProps } from './json-schema.ts';

export const CustomResourceColumnDefinition = struct(
  'apiextensions/v1.CustomResourceColumnDefinition',
  {
    name: field(1, string, { required: true, doc: 'The heading.' }),
    type: field(2, string, { required: true, doc: 'integer, number, string, boolean or date.' }),
    format: field(3, string, {
      doc: 'How to read the type more closely; `name` marks the column that names the object.',
    }),
    description: field(4, string, { doc: 'What the column shows.' }),
    priority: field(5, int32, {
      doc: 'Columns above 0 may be left out where there is little room; lower is more important.',
    }),
    jsonPath: field(6, string, {
      required: true,
      doc: 'Where in the object the cell comes from: `.spec.replicas`.',
    }),
  },
  { doc: 'A column of the table that a list of the kind is shown as.' },
);
export type CustomResourceColumnDefinition = Infer<typeof CustomResourceColumnDefinition>;

export const CustomResourceSubresourceScale = struct(
  'apiextensions/v1.CustomResourceSubresourceScale',
  {
    specReplicasPath: field(1, string, { required: true, doc: 'Where the wished number is, under `.spec`.' }),
    statusReplicasPath: field(2, string, {
      required: true,
      doc: 'Where the present number is, under `.status`. Where there is nothing it is 0.',
    }),
    labelSelectorPath: field(3, optional(string), {
      doc: 'Where the selector of the counted objects is written as text, under `.status` or `.spec`. Autoscalers need it.',
    }),
  },
  { doc: 'How to read and write the scale of an object.' },
);
export type CustomResourceSubresourceScale = Infer<typeof CustomResourceSubresourceScale>;

const CustomResourceSubresourceStatus = struct(
  'apiextensions/v1.CustomResourceSubresourceStatus',
  {},
  { doc: 'Nothing more needs to be said of it.' },
);

export const CustomResourceSubresources = struct(
  'apiextensions/v1.CustomResourceSubresources',
  {
    status: field(1, optional(CustomResourceSubresourceStatus), {
      doc: '`/status` writes the status and nothing else, and the object itself is written without its status.',
    }),
    scale: field(2, optional(CustomResourceSubresourceScale), {
      doc: '`/scale` reads and writes an autoscaling Scale.',
    }),
  },
  { doc: 'The paths below an object of the kind.' },
);
export type CustomResourceSubresources = Infer<typeof CustomResourceSubresources>;

export const SelectableField = struct(
  'apiextensions/v1.SelectableField',
  {
    jsonPath: field(1, string, {
      required: true,
      doc: 'A field that is a string, a boolean or an integer, outside metadata and lists: `.spec.color`. Where an object lacks it, it is the empty string.',
    }),
  },
  { doc: 'A field that lists and watches can select by.' },
);
export type SelectableField = Infer<typeof SelectableField>;

/** The version of a custom kind, whose schema goes by the dialect. */
export function customResourceDefinitionVersion(props: Struct<JSONSchemaProps>) {
  const CustomResourceValidation = struct(
    'apiextensions/v1.CustomResourceValidation',
    { openAPIV3Schema: field(1, optional(props), { doc: 'The schema, which must be structural.' }) },
    { doc: 'What objects of the kind must be like.' },
  );
  return struct(
    'apiextensions/v1.CustomResourceDefinitionVersion',
    {
      name: field(1, string, { required: true, doc: 'Its objects are served under /apis/<group>/<name>/…' }),
      served: field(2, bool, { required: true, present: true, doc: 'Whether it is served.' }),
      storage: field(3, bool, {
        required: true,
        present: true,
        doc: 'Whether objects are stored in it: true of just one version.',
      }),
      deprecated: field(7, bool, { doc: 'Requests for it are answered with a warning.' }),
      deprecationWarning: field(8, optional(string), {
        doc: 'The words of that warning; without it the server finds some.',
      }),
      schema: field(4, optional(CustomResourceValidation), { doc: 'What its objects must be like.' }),
      subresources: field(5, optional(CustomResourceSubresources), { doc: 'The paths below its objects.' }),
      additionalPrinterColumns: field(6, list(CustomResourceColumnDefinition, { type: 'atomic' }), {
        doc: 'What is shown of an object beside its name; its age if nothing else.',
      }),
      selectableFields: field(9, list(SelectableField, { type: 'atomic' }), {
        doc: 'What lists and watches can select by: at most 8.',
      }),
    },
    { doc: 'A version of a custom kind.' },
  );
}
export type CustomResourceDefinitionVersion = Infer<ReturnType<typeof customResourceDefinitionVersion>>;
