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
import { type OperationSpec, pathItem } from './operations.ts';
import {
  createParameters,
  deleteCollectionParameters,
  deleteParameters,
  getParameters,
  listParameters,
  patchParameters,
  pathParameters,
  prettyParameter,
  updateParameters,
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
    const add = (path: string, endpoints: readonly OperationSpec[]) => this.#put(resource, path, endpoints);

    if (namespaced && verbs.includes('list')) {
      add(`/${plural}`, [this.#list(resource, names, names.operationIdForAllNamespaces('list'))]);
    }
    add(collection, this.#collection(resource, names, verbs));
    add(`${collection}/{name}`, this.#object(resource, names, verbs, resource));
    for (const [name, subresource] of Object.entries(subresources)) {
      for (const [subpath, endpoints] of this.#subresource(resource, name, subresource)) {
        add(`${collection}/{name}/${name}${subpath}`, endpoints);
      }
    }
    if (!verbs.includes('watch') || this.#isCustom) return;
    if (namespaced)
      add(`/watch/${plural}`, [
        this.#watch(resource, names.operationIdForAllNamespaces('watch', 'List'), 'watchlist'),
      ]);
    add(`/watch${collection}`, [
      this.#watch(resource, names.operationId('watch', { suffix: 'List' }), 'watchlist'),
    ]);
    add(`/watch${collection}/{name}`, [this.#watch(resource, names.operationId('watch'), 'watch')]);
  }

  #put(resource: ServedResource, subpath: string, endpoints: readonly OperationSpec[]): void {
    if (endpoints.length === 0) return;
    const path = `${rootOf(resource)}${subpath}`;
    const inPath = pathParameters(path, resource.kind);
    const operations = endpoints.map((endpoint) => ({
      ...endpoint,
      parameters: [...inPath, ...(endpoint.parameters ?? [])],
    }));
    this.paths[path] = pathItem(operations, tagOf(resource.definition), this.#dialect);
  }

  #collection(kind: ServedKind, names: OperationNames, verbs: readonly Verb[]): OperationSpec[] {
    const endpoints: OperationSpec[] = [];
    if (verbs.includes('list')) endpoints.push(this.#list(kind, names, names.operationId('list')));
    if (verbs.includes('create')) endpoints.push(this.#create(kind, names));
    if (verbs.includes('deletecollection')) {
      endpoints.push({
        method: 'delete',
        operationId: names.operationId('delete', { prefix: 'Collection' }),
        description: `Delete every ${names.kindText} that the selectors choose.`,
        ...(this.#isCustom
          ? { parameters: [...listParameters, prettyParameter] }
          : {
              parameters: [...deleteCollectionParameters, prettyParameter],
              body: { content: this.#sent(this.#schemas.refTo(DeleteOptions)), required: false },
            }),
        responses: { 200: this.#objects(this.#schemas.refTo(Status)) },
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
  ): OperationSpec[] {
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objects(schema);
    const shared = { kind: kindOf(this.#isCustom ? resource : kind) };
    const endpoints: OperationSpec[] = [];
    if (verbs.includes('get')) {
      endpoints.push({
        ...shared,
        method: 'get',
        operationId: names.operationId('read'),
        description: `Read the ${names.kindText}.`,
        parameters: this.#isCustom ? [...getParameters, prettyParameter] : [prettyParameter],
        responses: { 200: object },
        action: 'get',
      });
    }
    if (verbs.includes('update')) {
      endpoints.push({
        ...shared,
        method: 'put',
        operationId: names.operationId('replace'),
        description: `Replace the ${names.kindText}.`,
        parameters: [...updateParameters, prettyParameter],
        body: { content: this.#sent(schema), required: true },
        responses: { 200: object, 201: object },
        action: 'put',
      });
    }
    if (verbs.includes('delete')) endpoints.push(this.#delete(resource, names, resource));
    if (verbs.includes('patch')) {
      endpoints.push({
        ...shared,
        method: 'patch',
        operationId: names.operationId('patch'),
        description: `Change parts of the ${names.kindText}.`,
        parameters: [...patchParameters, prettyParameter],
        body: { content: contentOf(this.#types.patches, this.#schemas.refTo(Patch)), required: true },
        responses: this.#isCustom ? { 200: object } : { 200: object, 201: object },
        action: 'patch',
      });
    }
    return endpoints;
  }

  #subresource(
    resource: ServedResource,
    name: string,
    subresource: Subresource,
  ): readonly (readonly [below: string, endpoints: readonly OperationSpec[]])[] {
    const { verbs, connect } = subresource;
    const names = new OperationNames(resource.definition, name);
    if (connect) return connectionEndpoints(resource, subresource, names, this.#types);
    const kind = resource.kindOf(name);
    if (verbs.includes('create')) return [['', [this.#create(kind, names)]]];
    return [['', this.#object(kind, names, verbs, resource)]];
  }

  #create(kind: ServedKind, names: OperationNames): OperationSpec {
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objects(schema);
    return {
      method: 'post',
      operationId: names.operationId('create'),
      description: `Create a ${names.kindText}.`,
      parameters: [...createParameters, prettyParameter],
      body: { content: this.#sent(schema), required: true },
      responses: { 200: object, 201: object, 202: object },
      action: 'post',
      kind: kindOf(kind),
    };
  }

  #delete(kind: ServedKind, names: OperationNames, { definition }: ServedResource): OperationSpec {
    // The published response of deleting a namespace is a Status.
    const { strategy, plural } = definition;
    const returnsObject = strategy.deleteReturnsObject && plural !== 'namespaces';
    const response = this.#objects(
      returnsObject ? this.#schemas.refToKind(kind) : this.#schemas.refTo(Status),
    );
    return {
      method: 'delete',
      operationId: names.operationId('delete'),
      description: `Delete the ${names.kindText}.`,
      parameters: [...deleteParameters, prettyParameter],
      body: { content: this.#sent(this.#schemas.refTo(DeleteOptions)), required: false },
      responses: { 200: response, 202: response },
      action: 'delete',
      kind: kindOf(kind),
    };
  }

  #list(kind: ServedKind, names: OperationNames, operationId: string): OperationSpec {
    return {
      method: 'get',
      operationId,
      description: `List or watch objects of kind ${names.kindText}.`,
      parameters: [...listParameters, prettyParameter],
      responses: { 200: contentOf(this.#types.lists, this.#schemas.refToList(kind)) },
      action: 'list',
      kind: kindOf(kind),
    };
  }

  #watch(kind: ServedKind, operationId: string, action: 'watch' | 'watchlist'): OperationSpec {
    return {
      method: 'get',
      operationId,
      description: 'Watch for changes. The older way: the parameter watch of a list does the same.',
      parameters: [...listParameters, prettyParameter],
      responses: { 200: contentOf(this.#types.lists, this.#schemas.refTo(WatchEvent)) },
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
