// OpenAPI paths of discovery, /version and the other paths that are no resources.
import type { Dialect } from '../../dialect/dialect.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../kind/meta/discovery.ts';
import type { Struct } from '../../schema/struct.ts';
import type { PathItem, Schema } from './document.ts';
import { contentOf, type MediaTypes } from './media-types.ts';
import { VersionInfo } from './meta-types.ts';
import { capitalized, groupWord, tagOf } from './operation-names.ts';
import { pathItem } from './operations.ts';
import type { Schemas } from './schemas.ts';

/** A path that is no resource and supports only GET. `types` are the media types of its response. */
interface NonResourcePath {
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly types: readonly string[];
  /** Absent: plain text. */
  readonly schema?: Struct<unknown>;
}

/** The path of a group version: `/apis/apps/v1/`. */
export function groupVersionPath(
  root: string,
  groupVersion: { readonly group: string; readonly version: string },
  types: MediaTypes,
): NonResourcePath {
  const { group, version } = groupVersion;
  return {
    path: `${root}/`,
    operationId: `get${groupWord(group)}${capitalized(version)}APIResources`,
    tag: tagOf(groupVersion),
    description: 'The resources of this group version.',
    types: types.objects,
    schema: APIResourceList,
  };
}

/** The path of a group: `/apis/apps/`. */
export function groupPath(root: string, group: string, types: MediaTypes): NonResourcePath {
  return {
    path: `${root}/`,
    operationId: `get${groupWord(group)}APIGroup`,
    tag: tagOf({ group }),
    description: 'The versions of the group.',
    types: types.discovery,
    schema: APIGroup,
  };
}

/** The paths outside all groups, by the name of their document. */
export function nonResourcePaths({ discovery }: MediaTypes): Readonly<Record<string, NonResourcePath>> {
  const json = ['application/json'];
  return {
    '.well-known/openid-configuration': {
      path: '/.well-known/openid-configuration/',
      operationId: 'getServiceAccountIssuerOpenIDConfiguration',
      tag: 'WellKnown',
      description: 'The OpenID Connect discovery document of the service account token issuer.',
      types: json,
    },
    api: {
      path: '/api/',
      operationId: 'getCoreAPIVersions',
      tag: 'core',
      description: 'The versions of the core group.',
      types: discovery,
      schema: APIVersions,
    },
    apis: {
      path: '/apis/',
      operationId: 'getAPIVersions',
      tag: 'apis',
      description: 'The served API groups.',
      types: discovery,
      schema: APIGroupList,
    },
    'openid/v1/jwks': {
      path: '/openid/v1/jwks/',
      operationId: 'getServiceAccountIssuerOpenIDKeyset',
      tag: 'openid',
      description: 'The public keys that verify service account tokens.',
      types: ['application/jwk-set+json'],
    },
    version: {
      path: '/version/',
      operationId: 'getCodeVersion',
      tag: 'version',
      description: 'The version of the server.',
      types: json,
      schema: VersionInfo,
    },
  };
}

export function nonResourcePathItem(
  { path, operationId, tag, description, types, schema }: NonResourcePath,
  schemas: Schemas,
  dialect: Dialect,
): Record<string, PathItem> {
  const responseSchema: Schema = schema ? schemas.refTo(schema) : { type: 'string' };
  const operation = {
    method: 'get',
    operationId,
    description,
    responses: { 200: contentOf(types, responseSchema) },
  } as const;
  return { [path]: pathItem([operation], tag, dialect) };
}
