// OpenAPI paths of a resource: its verbs, subresources and parameters.
import type { Dialect } from '../../dialect/dialect.ts';
import type { Subresource, Verb } from '../../kind/definition.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { Status } from '../../kind/meta/status.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import { connectionEndpoints } from './connections.ts';
import type { MediaTypeObjects, PathItem, Schema } from './document.ts';
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
  reading,
  updating,
} from './parameters.ts';
import type { SchemaRefs } from './schemas.ts';

/** The paths of the resources of a group version, and the schemas they refer to. */
export class ResourcePaths {
  readonly paths: Record<string, PathItem> = {};
  readonly #schemas: SchemaRefs;
  readonly #types: MediaTypes;
  readonly #dialect: Dialect;
  readonly #isCustom: boolean;

  /** `isCustom`: upstream publishes other media types and parameters for custom resources. */
  constructor(schemas: SchemaRefs, types: MediaTypes, dialect: Dialect, isCustom = false) {
    this.#schemas = schemas;
    this.#types = types;
    this.#dialect = dialect;
    this.#isCustom = isCustom;
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
    if (!verbs.includes('watch') || this.#isCustom) return;
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
        ...(this.#isCustom
          ? { parameters: [...listing, pretty] }
          : {
              parameters: [...deletingMany, pretty],
              body: { content: this.#sent(this.#schemas.refTo(DeleteOptions)), required: false },
            }),
        answers: { 200: this.#objects(this.#schemas.refTo(Status)) },
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
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objects(schema);
    const shared = { kind: kindOf(this.#isCustom ? resource : kind) };
    const endpoints: Endpoint[] = [];
    if (verbs.includes('get')) {
      endpoints.push({
        ...shared,
        method: 'get',
        operationId: names.of('read'),
        description: `Read the ${names.what}.`,
        parameters: this.#isCustom ? [...reading, pretty] : [pretty],
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
        body: { content: this.#sent(schema), required: true },
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
        answers: this.#isCustom ? { 200: object } : { 200: object, 201: object },
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
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objects(schema);
    return {
      method: 'post',
      operationId: names.of('create'),
      description: `Create a ${names.what}.`,
      parameters: [...creating, pretty],
      body: { content: this.#sent(schema), required: true },
      answers: { 200: object, 201: object, 202: object },
      action: 'post',
      kind: kindOf(kind),
    };
  }

  #delete(kind: ServedKind, names: OperationNames, { definition }: ServedResource): Endpoint {
    // The published response of deleting a namespace is a Status.
    const { strategy, plural } = definition;
    const returnsObject = strategy.deleteReturnsObject && plural !== 'namespaces';
    const answer = this.#objects(returnsObject ? this.#schemas.refToKind(kind) : this.#schemas.refTo(Status));
    return {
      method: 'delete',
      operationId: names.of('delete'),
      description: `Delete the ${names.what}.`,
      parameters: [...deleting, pretty],
      body: { content: this.#sent(this.#schemas.refTo(DeleteOptions)), required: false },
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
      answers: { 200: contentOf(this.#types.lists, this.#schemas.refToList(kind)) },
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

  #objects(schema: Schema): MediaTypeObjects {
    return contentOf(this.#types.objects, schema);
  }

  #sent(schema: Schema): MediaTypeObjects {
    return contentOf(this.#isCustom ? this.#types.objects : ['*/*'], schema);
  }
}

function kindOf({ group, version, kind }: ServedKind): GroupVersionKind {
  return { group, version, kind };
}

function rootOf({ group, apiVersion }: ServedResource): string {
  return group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
}
