// CustomResourceDefinition without its schemas, kept in memory.
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';

/** Drops the schemas, which are most of a definition, and all annotations but the one that the server reads. */
export function outlineOf(
  { metadata, spec, status, ...type }: CustomResourceDefinition,
  annotation: string,
): CustomResourceDefinition {
  const { managedFields: _, annotations, labels: _labels, ...rest } = metadata;
  const value = annotations?.[annotation];
  const keptMetadata = { ...rest, ...(value !== undefined && { annotations: { [annotation]: value } }) };
  const versions = spec.versions?.map(({ schema: _schema, ...version }) => version);
  return { ...type, metadata: keptMetadata, spec: { ...spec, ...(versions && { versions }) }, status };
}
