import type { CustomResourceDefinition } from '../api/apiextensions/customresourcedefinition.ts';

/** What is remembered of a definition, for as long as it is there: all but its schemas, which are most of it. */
export function outlineOf({
  metadata,
  spec,
  status,
  ...type
}: CustomResourceDefinition): CustomResourceDefinition {
  const { managedFields: _, annotations: _annotations, labels: _labels, ...told } = metadata;
  const versions = spec.versions?.map(({ schema: _schema, ...version }) => version);
  return { ...type, metadata: told, spec: { ...spec, ...(versions && { versions }) }, status };
}
