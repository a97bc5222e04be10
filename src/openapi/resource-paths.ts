import { DeleteOptions } from '../api/meta/delete-options.ts';
import { ListMeta } from '../api/meta/list-meta.ts';
import { Status } from '../api/meta/status.ts';
import { typeMeta } from '../api/meta/type-meta.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Subresource, Verb } from '../resource/definition.ts';
import type { ServedKind, ServedResource } from '../resource/registry.ts';
import { list } from '../schema/collections.ts';
import { field, type Struct, struct } from '../schema/struct.ts';
import { connectionEndpoints } from './connections.ts';
import type { Content, PathItem } from './document.ts';
import type { GroupVersionKind } from './group-version-kinds.ts';
import { contentOf, type MediaTypes } from './media-types.ts';
import { Patch, WatchEvent } from './meta-types.ts';
import { OperationNames, tagOf } from './operation-names.ts';
import { type Endpoint, pathItem } from './operations.ts';
import {
  creating,
  deleting,
  deletingMany,
  listing,
  patching,
  pathParameters,
  pretty,
  updating,
} from './parameters.ts';
import type { Schemas } from './schemas.ts';

/** The paths of a group version's resources, and the schemas they refer to. */
export class ResourcePaths {
  readonly paths: Record<string, PathItem> = {};
  readonly #schemas: Schemas;
  readonly #types: MediaTypes;
  readonly #dialect: Dialect;

  constructor(schemas: Schemas, types: MediaTypes, dialect: Dialect) {
    this.#schemas = schemas;
    this.#types = types;
    this.#dialect = dialect;
  }

  add(resource: ServedResource): void {
    const { plural, namespaced, subresources, verbs } = resource.definition;
    const collection = namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`;
    const names = new OperationNames(resource.definition);
    const at = (path: string, endpoints: readonly Endpoint[]) => this.#put(resource, path, endpoints);

    if (namespaced && verbs.includes('list')) {
      at(`/${plural}`, [this.#list(resource, names, names.everywhere('list'))]);
    }
    at(collection, this.#collection(resource, names, verbs));
    at(`${collection}/{name}`, this.#object(resource, names, verbs, resource));
    for (const [name, subresource] of Object.entries(subresources)) {
      for (const [below, endpoints] of this.#subresource(resource, name, subresource)) {
        at(`${collection}/{name}/${name}${below}`, endpoints);
      }
    }
    if (!verbs.includes('watch')) return;
    if (namespaced)
      at(`/watch/${plural}`, [this.#watch(resource, names.everywhere('watch', 'List'), 'watchlist')]);
    at(`/watch${collection}`, [this.#watch(resource, names.of('watch', { after: 'List' }), 'watchlist')]);
    at(`/watch${collection}/{name}`, [this.#watch(resource, names.of('watch'), 'watch')]);
  }

  #put(resource: ServedResource, below: string, endpoints: readonly Endpoint[]): void {
    if (endpoints.length === 0) return;
    const path = `${rootOf(resource)}${below}`;
    const inPath = pathParameters(path, resource.kind);
    const whole = endpoints.map((endpoint) => ({
      ...endpoint,
      parameters: [...inPath, ...(endpoint.parameters ?? [])],
    }));
    this.paths[path] = pathItem(whole, tagOf(resource.definition), this.#dialect);
  }

  #collection(kind: ServedKind, names: OperationNames, verbs: readonly Verb[]): Endpoint[] {
    const endpoints: Endpoint[] = [];
    if (verbs.includes('list')) endpoints.push(this.#list(kind, names, names.of('list')));
    if (verbs.includes('create')) endpoints.push(this.#create(kind, names));
    if (verbs.includes('deletecollection')) {
      endpoints.push({
        method: 'delete',
        operationId: names.of('delete', { before: 'Collection' }),
        description: `Delete every ${names.what} that the selectors choose.`,
        parameters: [...deletingMany, pretty],
        body: { content: this.#anyType(DeleteOptions), required: false },
        answers: { 200: this.#objects(Status) },
        action: 'deletecollection',
        kind: kindOf(kind),
      });
    }
    return endpoints;
  }

  #object(
    kind: ServedKind,
    names: OperationNames,
    verbs: readonly Verb[],
    resource: ServedResource,
  ): Endpoint[] {
    const object = this.#objects(kind.definition.schema);
    const shared = { kind: kindOf(kind) };
    const endpoints: Endpoint[] = [];
    if (verbs.includes('get')) {
      endpoints.push({
        ...shared,
        method: 'get',
        operationId: names.of('read'),
        description: `Read the ${names.what}.`,
        parameters: [pretty],
        answers: { 200: object },
        action: 'get',
      });
    }
    if (verbs.includes('update')) {
      endpoints.push({
        ...shared,
        method: 'put',
        operationId: names.of('replace'),
        description: `Replace the ${names.what}.`,
        parameters: [...updating, pretty],
        body: { content: this.#anyType(kind.definition.schema), required: true },
        answers: { 200: object, 201: object },
        action: 'put',
      });
    }
    if (verbs.includes('delete')) endpoints.push(this.#delete(resource, names, resource));
    if (verbs.includes('patch')) {
      endpoints.push({
        ...shared,
        method: 'patch',
        operationId: names.of('patch'),
        description: `Change parts of the ${names.what}.`,
        parameters: [...patching, pretty],
        body: { content: contentOf(this.#types.patches, this.#schemas.refTo(Patch)), required: true },
        answers: { 200: object, 201: object },
        action: 'patch',
      });
    }
    return endpoints;
  }

  #subresource(
    resource: ServedResource,
    name: string,
    subresource: Subresource,
  ): readonly (readonly [below: string, endpoints: readonly Endpoint[]])[] {
    const { verbs, connect } = subresource;
    const names = new OperationNames(resource.definition, name);
    if (connect) return connectionEndpoints(resource, subresource, names, this.#types);
    const kind = resource.kindOf(name);
    if (verbs.includes('create')) return [['', [this.#create(kind, names)]]];
    return [['', this.#object(kind, names, verbs, resource)]];
  }

  #create(kind: ServedKind, names: OperationNames): Endpoint {
    const object = this.#objects(kind.definition.schema);
    return {
      method: 'post',
      operationId: names.of('create'),
      description: `Create a ${names.what}.`,
      parameters: [...creating, pretty],
      body: { content: this.#anyType(kind.definition.schema), required: true },
      answers: { 200: object, 201: object, 202: object },
      action: 'post',
      kind: kindOf(kind),
    };
  }

  #delete(kind: ServedKind, names: OperationNames, { definition }: ServedResource): Endpoint {
    // A namespace that goes at once is said to be answered with a Status.
    const { strategy, plural } = definition;
    const returnsObject = strategy.deleteReturnsObject && plural !== 'namespaces';
    const answer = this.#objects(returnsObject ? kind.definition.schema : Status);
    return {
      method: 'delete',
      operationId: names.of('delete'),
      description: `Delete the ${names.what}.`,
      parameters: [...deleting, pretty],
      body: { content: this.#anyType(DeleteOptions), required: false },
      answers: { 200: answer, 202: answer },
      action: 'delete',
      kind: kindOf(kind),
    };
  }

  #list(kind: ServedKind, names: OperationNames, operationId: string): Endpoint {
    return {
      method: 'get',
      operationId,
      description: `List or watch objects of kind ${names.what}.`,
      parameters: [...listing, pretty],
      answers: { 200: contentOf(this.#types.lists, this.#schemas.refTo(listOf(kind.definition.schema))) },
      action: 'list',
      kind: kindOf(kind),
    };
  }

  #watch(kind: ServedKind, operationId: string, action: 'watch' | 'watchlist'): Endpoint {
    return {
      method: 'get',
      operationId,
      description: 'Watch for changes. The older way: the parameter watch of a list does the same.',
      parameters: [...listing, pretty],
      answers: { 200: contentOf(this.#types.lists, this.#schemas.refTo(WatchEvent)) },
      action,
      kind: kindOf(kind),
    };
  }

  #objects(schema: Struct<unknown>): Content {
    return contentOf(this.#types.objects, this.#schemas.refTo(schema));
  }

  #anyType(schema: Struct<unknown>): Content {
    return contentOf(['*/*'], this.#schemas.refTo(schema));
  }
}

function kindOf({ group, version, kind }: ServedKind): GroupVersionKind {
  return { group, version, kind };
}

function rootOf({ group, apiVersion }: ServedResource): string {
  return group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
}

/** The list of a kind, as a type of its own. */
function listOf(schema: Struct<unknown>): Struct<unknown> {
  return struct(
    `${schema.fullName}List`,
    {
      ...typeMeta,
      metadata: field(1, ListMeta, {
        doc: 'The state that the list shows, and whether there is more of it.',
      }),
      items: field(2, list(schema), { required: true, doc: 'The objects.' }),
    },
    { doc: `A list of objects of kind ${schema.fullName.slice(schema.fullName.indexOf('.') + 1)}.` },
  );
}
