// CustomResourceDefinition: the schema of spec.versions (CustomResourceDefinitionVersion). Field numbers are those of
// protobuf.
import { list } from '../../schema/collections.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, type Struct, struct } from '../../schema/struct.ts';
import type { JSONSchemaProps } from './json-schema.ts';

export const CustomResourceColumnDefinition = struct(
  'apiextensions/v1.CustomResourceColumnDefinition',
  {
    name: field(1, string, { required: true, doc: 'The header of the column.' }),
    type: field(2, string, {
      required: true,
      doc: 'The OpenAPI type: integer, number, string, boolean or date.',
    }),
    format: field(3, string, {
      doc: "The OpenAPI format. `name` marks the column with the object's name.",
    }),
    description: field(4, string, { doc: 'A description of the column.' }),
    priority: field(5, int32, {
      doc: 'Columns with a priority above 0 are omitted in narrow output.',
    }),
    jsonPath: field(6, string, {
      required: true,
      doc: 'The JSON path of the cell value in the object, such as `.spec.replicas`.',
    }),
  },
  { doc: 'A printer column of the custom resource.' },
);
export type CustomResourceColumnDefinition = Infer<typeof CustomResourceColumnDefinition>;

export const CustomResourceSubresourceScale = struct(
  'apiextensions/v1.CustomResourceSubresourceScale',
  {
    specReplicasPath: field(1, string, {
      required: true,
      doc: 'The JSON path of the desired number of replicas, under `.spec`.',
    }),
    statusReplicasPath: field(2, string, {
      required: true,
      doc: 'The JSON path of the actual number of replicas, under `.status`. A missing value counts as 0.',
    }),
    labelSelectorPath: field(3, optional(string), {
      doc: 'The JSON path of the label selector as a string, under `.status` or `.spec`. Required for autoscalers.',
    }),
  },
  { doc: 'The paths of the scale subresource in the object.' },
);
export type CustomResourceSubresourceScale = Infer<typeof CustomResourceSubresourceScale>;

const CustomResourceSubresourceStatus = struct(
  'apiextensions/v1.CustomResourceSubresourceStatus',
  {},
  { doc: 'Enables the status subresource. It has no fields.' },
);

export const CustomResourceSubresources = struct(
  'apiextensions/v1.CustomResourceSubresources',
  {
    status: field(1, optional(CustomResourceSubresourceStatus), {
      doc: 'Enables the `/status` subresource: it updates only the status, and other updates ignore the status.',
    }),
    scale: field(2, optional(CustomResourceSubresourceScale), {
      doc: 'Enables the `/scale` subresource: it reads and updates an autoscaling Scale.',
    }),
  },
  { doc: 'The subresources of a custom resource.' },
);
export type CustomResourceSubresources = Infer<typeof CustomResourceSubresources>;

export const SelectableField = struct(
  'apiextensions/v1.SelectableField',
  {
    jsonPath: field(1, string, {
      required: true,
      doc: 'The JSON path of a string, boolean or integer field outside of metadata and lists, such as `.spec.color`. A missing value is the empty string.',
    }),
  },
  { doc: 'A field that can be used in field selectors.' },
);
export type SelectableField = Infer<typeof SelectableField>;

/** The schema of a version. `props` is the schema of JSONSchemaProps, whose extension names depend on the dialect. */
export function customResourceDefinitionVersion(props: Struct<JSONSchemaProps>) {
  const CustomResourceValidation = struct(
    'apiextensions/v1.CustomResourceValidation',
    { openAPIV3Schema: field(1, optional(props), { doc: 'The OpenAPI v3 schema. It must be structural.' }) },
    { doc: 'The schema that validates custom resources.' },
  );
  return struct(
    'apiextensions/v1.CustomResourceDefinitionVersion',
    {
      name: field(1, string, {
        required: true,
        doc: 'The name of the version. The objects are served under /apis/<group>/<name>/…',
      }),
      served: field(2, bool, { required: true, mustBePresent: true, doc: 'Whether the version is served.' }),
      storage: field(3, bool, {
        required: true,
        mustBePresent: true,
        doc: 'Whether objects are stored in this version. True for exactly one version.',
      }),
      deprecated: field(7, bool, { doc: 'Whether requests for the version return a deprecation warning.' }),
      deprecationWarning: field(8, optional(string), {
        doc: 'The text of the deprecation warning. Defaults to a generated one.',
      }),
      schema: field(4, optional(CustomResourceValidation), {
        doc: 'The schema for validation, pruning and defaulting.',
      }),
      subresources: field(5, optional(CustomResourceSubresources), {
        doc: 'The subresources of the version.',
      }),
      additionalPrinterColumns: field(6, list(CustomResourceColumnDefinition, { type: 'atomic' }), {
        doc: 'The columns of a Table beside the name. Defaults to the age.',
      }),
      selectableFields: field(9, list(SelectableField, { type: 'atomic' }), {
        doc: 'The fields that field selectors can use, at most 8.',
      }),
    },
    { doc: 'A version of a custom resource.' },
  );
}
export type CustomResourceDefinitionVersion = Infer<ReturnType<typeof customResourceDefinitionVersion>>;
