// Renders the paths and schemas of a custom resource, here or on a worker thread.
import { CooperativeYield } from '../../../base/cooperative-yield.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import type { PathItem } from '../document.ts';
import type { DocumentFormat } from '../document-encoding.ts';
import { encodings2, encodings3 } from '../encoding.ts';
import { customMediaTypes } from '../media-types.ts';
import { ResourcePaths } from '../resource-paths.ts';
import { type Parameter2, toVersion2 } from '../v2.ts';
import { CustomSchemas } from './custom-schemas.ts';

/** The encoded paths and schemas of a custom resource, before compression. */
export interface RenderedCustomResource {
  readonly paths: Buffer;
  readonly schemas: Buffer;
  /** The shared parameters of v2. */
  readonly parameters: ReadonlyMap<string, Parameter2>;
}

export async function renderCustomResource(
  dialect: Dialect,
  resource: ServedResource,
  version: 2 | 3,
  format: DocumentFormat,
): Promise<RenderedCustomResource> {
  const cooperativeYield = new CooperativeYield();
  const customSchemas = new CustomSchemas(dialect);
  const schemas = customSchemas.schemasOf(resource, version);
  await cooperativeYield.next();
  const paths = pathsOf(dialect, customSchemas, resource);
  if (version === 3) {
    const { paths: encodePaths, schemas: encodeSchemas } = encodings3[format];
    return { paths: encodePaths(paths), schemas: encodeSchemas(schemas), parameters: new Map() };
  }
  const version2 = toVersion2({ paths, components: { schemas } }, { isCustom: true });
  await cooperativeYield.next();
  const { paths: encodePaths, schemas: encodeSchemas } = encodings2[format];
  return {
    paths: encodePaths(version2.paths),
    schemas: encodeSchemas(version2.definitions),
    parameters: version2.parameters,
  };
}

function pathsOf(
  dialect: Dialect,
  schemas: CustomSchemas,
  resource: ServedResource,
): Record<string, PathItem> {
  const paths = new ResourcePaths(schemas, customMediaTypes, dialect, { isCustom: true });
  paths.add(resource);
  return paths.paths;
}

/** A worker thread that renders very large custom resources. */
export interface OpenApiWorker {
  /** Resolves with undefined if the caller has to render the resource itself. */
  render(
    resource: ServedResource,
    version: 2 | 3,
    format: DocumentFormat,
  ): Promise<RenderedCustomResource | undefined>;
}
