// CustomResourceDefinition: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import type { Dialect } from '../../dialect/dialect.ts';
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { CustomResourceConversion } from './conversion.ts';
import { jsonSchemaProps } from './json-schema.ts';
import { customResourceDefinitionVersion } from './version.ts';

export const CustomResourceDefinitionNames = struct(
  'apiextensions/v1.CustomResourceDefinitionNames',
  {
    plural: field(1, string, { required: true, doc: 'The plural name in URL paths, in lower case.' }),
    singular: field(2, string, {
      doc: 'The singular name in lower case. Defaults to the kind in lower case.',
    }),
    shortNames: field(3, list(string, { type: 'atomic' }), {
      doc: 'Short names for the command line, in lower case.',
    }),
    kind: field(4, string, { required: true, doc: 'The kind in CamelCase.' }),
    listKind: field(5, string, { doc: 'The kind of lists. Defaults to `<kind>List`.' }),
    categories: field(6, list(string, { type: 'atomic' }), {
      doc: 'Categories of resources, such as `all`.',
    }),
  },
  { doc: 'The names of a custom resource.' },
);

export type CustomResourceDefinitionNames = Infer<typeof CustomResourceDefinitionNames>;

const customResourceDefinitionCondition = (dialect: Dialect) =>
  struct(
    'apiextensions/v1.CustomResourceDefinitionCondition',
    {
      type: field(
        1,
        named(
          'apiextensions/v1.CustomResourceDefinitionConditionType',
          openEnum(
            'Established',
            'NamesAccepted',
            'NonStructuralSchema',
            'Terminating',
            dialect.apiApprovalCondition,
          ),
        ),
        { required: true, doc: 'The type of the condition.' },
      ),
      status: field(2, named('apiextensions/v1.ConditionStatus', openEnum('True', 'False', 'Unknown')), {
        required: true,
        doc: 'True, False or Unknown.',
      }),
      lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
      reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
      message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
    },
    { doc: 'A condition of a CustomResourceDefinition.' },
  );

const customResourceDefinitionStatus = (dialect: Dialect) =>
  struct(
    'apiextensions/v1.CustomResourceDefinitionStatus',
    {
      conditions: field(
        1,
        list(customResourceDefinitionCondition(dialect), { type: 'map', keys: ['type'] }),
        {
          omitEmpty: false,
          doc: 'The observed conditions of the CustomResourceDefinition.',
        },
      ),
      acceptedNames: field(2, CustomResourceDefinitionNames, {
        doc: 'The names under which the resource is served. They may differ from spec.names.',
      }),
      storedVersions: field(3, list(string, { type: 'atomic' }), {
        omitEmpty: false,
        doc: 'All versions in which objects have been stored. A version can be removed once no object is stored in it.',
      }),
    },
    { doc: 'The current status of a CustomResourceDefinition.' },
  );

export type CustomResourceDefinitionStatus = Infer<ReturnType<typeof customResourceDefinitionStatus>>;

export function customResourceDefinitionSchema(dialect: Dialect) {
  const Version = customResourceDefinitionVersion(jsonSchemaProps(dialect));
  const Spec = struct(
    'apiextensions/v1.CustomResourceDefinitionSpec',
    {
      group: field(1, string, {
        required: true,
        doc: 'The API group. The objects are served under /apis/<group>/…',
      }),
      names: field(3, CustomResourceDefinitionNames, {
        required: true,
        doc: 'The names of the custom resource.',
      }),
      scope: field(4, named('apiextensions/v1.ResourceScope', openEnum('Cluster', 'Namespaced')), {
        required: true,
        doc: 'Namespaced or Cluster.',
      }),
      versions: field(7, list(Version, { type: 'atomic' }), {
        required: true,
        doc: 'The versions. Discovery lists them from the most to the least stable.',
      }),
      conversion: field(9, optional(CustomResourceConversion), {
        default: { strategy: 'None' },
        doc: 'How objects are converted between versions.',
      }),
      preserveUnknownFields: field(10, bool, {
        doc: 'Deprecated: the schema determines which unknown fields are preserved. Must be false.',
      }),
    },
    {
      doc: 'The specification of a CustomResourceDefinition.',
      defaults({ names }) {
        if (!names.singular) names.singular = names.kind.toLowerCase();
        if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
      },
    },
  );
  return kind(
    'apiextensions/v1.CustomResourceDefinition',
    {
      spec: field(2, Spec, { required: true, doc: 'The specification of the custom resource.' }),
      status: field(3, customResourceDefinitionStatus(dialect), {
        doc: 'The current status of the CustomResourceDefinition.',
      }),
    },
    {
      doc: 'Defines a custom resource. Its name is `<plural>.<group>`.',
      defaults: ({ spec, status }) => {
        if ((status.storedVersions ?? []).length === 0) status.storedVersions = storageVersions(spec);
      },
    },
  );
}

/** The name of the storage version, as the initial value of status.storedVersions; empty if no version is marked. */
export function storageVersions({
  versions = [],
}: {
  versions?: { name: string; storage: boolean }[];
}): string[] {
  return versions
    .filter(({ storage }) => storage)
    .map(({ name }) => name)
    .slice(0, 1);
}

export type CustomResourceDefinition = Infer<ReturnType<typeof customResourceDefinitionSchema>>;
