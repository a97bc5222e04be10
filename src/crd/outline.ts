// CustomResourceDefinition without its schemas, kept in memory.
import type { CustomResourceDefinition } from '../apis/apiextensions/customresourcedefinition-schema.ts';

/** Drops the schemas, which are most of a definition, and all annotations but the one that the server reads. */
export function outlineOf(
  { metadata, spec, status, ...type }: CustomResourceDefinition,
  keptAnnotation: string,
): CustomResourceDefinition {
  const { managedFields: _, annotations, labels: _labels, ...otherMetadata } = metadata;
  const value = annotations?.[keptAnnotation];
  const keptMetadata = {
    ...otherMetadata,
    ...(value !== undefined && { annotations: { [keptAnnotation]: value } }),
  };
  const versions = spec.versions?.map(({ schema: _schema, ...version }) => version);
  return { ...type, metadata: keptMetadata, spec: { ...spec, ...(versions && { versions }) }, status };
}
