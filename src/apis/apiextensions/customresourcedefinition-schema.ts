// The schema of CustomResourceDefinition.
import type { Dialect } from '../../dialect/dialect.ts';
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { CustomResourceConversion } from './conversion.ts';
import { jsonSchemaProps } from './json-schema.ts';
import { customResourceDefinitionVersion } from './version.ts';

export const CustomResourceDefinitionNames = struct(
  'apiextensions/v1.CustomResourceDefinitionNames',
  {
    plural: field(1, string, { required: true, doc: 'As paths have it, in lower case.' }),
    singular: field(2, string, {
      doc: 'As people say it, in lower case; the kind in lower case unless given.',
    }),
    shortNames: field(3, list(string, { type: 'atomic' }), {
      doc: 'Shorter names for the command line, in lower case.',
    }),
    kind: field(4, string, { required: true, doc: 'As objects have it, in CamelCase.' }),
    listKind: field(5, string, { doc: 'The kind of lists; the kind and List unless given.' }),
    categories: field(6, list(string, { type: 'atomic' }), {
      doc: 'Groups of resources it belongs to, such as `all`.',
    }),
  },
  { doc: 'What the kind is called.' },
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
          oneOf(
            'Established',
            'NamesAccepted',
            'NonStructuralSchema',
            'Terminating',
            dialect.apiApprovalCondition,
          ),
        ),
        { required: true, doc: 'What the condition speaks of.' },
      ),
      status: field(2, named('apiextensions/v1.ConditionStatus', oneOf('True', 'False', 'Unknown')), {
        required: true,
        doc: 'Whether it is so.',
      }),
      lastTransitionTime: field(3, time, { doc: 'Since when it is as it is.' }),
      reason: field(4, string, { doc: 'Why, in one word for machines.' }),
      message: field(5, string, { doc: 'Why, in words for people.' }),
    },
    { doc: 'Something that is or is not so with a custom kind.' },
  );

const customResourceDefinitionStatus = (dialect: Dialect) =>
  struct(
    'apiextensions/v1.CustomResourceDefinitionStatus',
    {
      conditions: field(
        1,
        list(customResourceDefinitionCondition(dialect), { type: 'map', keys: ['type'] }),
        {
          alwaysWritten: true,
          doc: 'How far the kind has come.',
        },
      ),
      acceptedNames: field(2, CustomResourceDefinitionNames, {
        doc: 'The names that it is served by, which may not be all it asked for.',
      }),
      storedVersions: field(3, list(string, { type: 'atomic' }), {
        alwaysWritten: true,
        doc: 'All versions that objects were ever stored in. One may be struck out once its objects have been rewritten.',
      }),
    },
    { doc: 'What has become of a custom kind.' },
  );

export type CustomResourceDefinitionStatus = Infer<ReturnType<typeof customResourceDefinitionStatus>>;

export function makeSchema(dialect: Dialect) {
  const Version = customResourceDefinitionVersion(jsonSchemaProps(dialect));
  const Spec = struct(
    'apiextensions/v1.CustomResourceDefinitionSpec',
    {
      group: field(1, string, { required: true, doc: 'Its objects are served under /apis/<group>/…' }),
      names: field(3, CustomResourceDefinitionNames, { required: true, doc: 'What the kind is called.' }),
      scope: field(4, named('apiextensions/v1.ResourceScope', oneOf('Cluster', 'Namespaced')), {
        required: true,
        doc: 'Whether its objects lie in namespaces.',
      }),
      versions: field(7, list(Version, { type: 'atomic' }), {
        required: true,
        doc: 'Its versions. Discovery lists them from the most to the least stable.',
      }),
      conversion: field(9, optional(CustomResourceConversion), {
        default: { strategy: 'None' },
        doc: 'How objects are turned from one version into another.',
      }),
      preserveUnknownFields: field(10, bool, {
        doc: 'Deprecated: a mark in the schema says which unknown fields are kept. It cannot be set to true any more.',
      }),
    },
    {
      doc: 'A custom kind, as its author wishes it.',
      defaults({ names }) {
        if (!names.singular) names.singular = names.kind.toLowerCase();
        if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
      },
    },
  );
  return kind(
    'apiextensions/v1.CustomResourceDefinition',
    {
      spec: field(2, Spec, { required: true, doc: 'The kind, as its author wishes it.' }),
      status: field(3, customResourceDefinitionStatus(dialect), { doc: 'What has become of it.' }),
    },
    {
      doc: 'A kind of resource that the server learns while it runs. Its name is `<plural>.<group>`.',
      defaults: ({ spec, status }) => {
        if ((status.storedVersions ?? []).length === 0) status.storedVersions = storageVersions(spec);
      },
    },
  );
}

/** The version that objects are stored in, as a list to begin with. */
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

export type CustomResourceDefinition = Infer<ReturnType<typeof makeSchema>>;
