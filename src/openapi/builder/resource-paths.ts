// OpenAPI paths of a resource: its verbs, subresources and parameters.
import type { Dialect } from '../../dialect/dialect.ts';
import type { Subresource, Verb } from '../../kind/definition.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { Status } from '../../kind/meta/status.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import { connectOperations } from './connections.ts';
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
  constructor(schemas: SchemaRefs, types: MediaTypes, dialect: Dialect, { isCustom = false } = {}) {
    this.#schemas = schemas;
    this.#types = types;
    this.#dialect = dialect;
    this.#isCustom = isCustom;
  }

  add(resource: ServedResource): void {
    const { plural, namespaced, subresources, verbs } = resource.definition;
    const collection = namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`;
    const names = new OperationNames(resource.definition);
    const add = (path: string, operations: readonly OperationSpec[]) =>
      this.#addPath(resource, path, operations);

    if (namespaced && verbs.includes('list')) {
      add(`/${plural}`, [this.#listOperation(resource, names, names.operationIdForAllNamespaces('list'))]);
    }
    add(collection, this.#collectionOperations(resource, names, verbs));
    add(`${collection}/{name}`, this.#objectOperations(resource, names, verbs, resource));
    for (const [name, subresource] of Object.entries(subresources)) {
      for (const [subpath, operations] of this.#subresourceOperations(resource, name, subresource)) {
        add(`${collection}/{name}/${name}${subpath}`, operations);
      }
    }
    if (!verbs.includes('watch') || this.#isCustom) return;
    if (namespaced)
      add(`/watch/${plural}`, [
        this.#watchOperation(resource, names.operationIdForAllNamespaces('watch', 'List'), 'watchlist'),
      ]);
    add(`/watch${collection}`, [
      this.#watchOperation(resource, names.operationId('watch', { suffix: 'List' }), 'watchlist'),
    ]);
    add(`/watch${collection}/{name}`, [this.#watchOperation(resource, names.operationId('watch'), 'watch')]);
  }

  #addPath(resource: ServedResource, subpath: string, operations: readonly OperationSpec[]): void {
    if (operations.length === 0) return;
    const path = `${rootOf(resource)}${subpath}`;
    const pathParameterList = pathParameters(path, resource.kind);
    const withPathParameters = operations.map((operation) => ({
      ...operation,
      parameters: [...pathParameterList, ...(operation.parameters ?? [])],
    }));
    this.paths[path] = pathItem(withPathParameters, tagOf(resource.definition), this.#dialect);
  }

  #collectionOperations(kind: ServedKind, names: OperationNames, verbs: readonly Verb[]): OperationSpec[] {
    const operations: OperationSpec[] = [];
    if (verbs.includes('list')) operations.push(this.#listOperation(kind, names, names.operationId('list')));
    if (verbs.includes('create')) operations.push(this.#createOperation(kind, names));
    if (verbs.includes('deletecollection')) {
      operations.push({
        method: 'delete',
        operationId: names.operationId('delete', { prefix: 'Collection' }),
        description: `Delete every ${names.kindText} that the selectors choose.`,
        ...(this.#isCustom
          ? { parameters: [...listParameters, prettyParameter] }
          : {
              parameters: [...deleteCollectionParameters, prettyParameter],
              body: { content: this.#requestContent(this.#schemas.refTo(DeleteOptions)), required: false },
            }),
        responses: { 200: this.#objectContent(this.#schemas.refTo(Status)) },
        action: 'deletecollection',
        kind: kindOf(kind),
      });
    }
    return operations;
  }

  #objectOperations(
    kind: ServedKind,
    names: OperationNames,
    verbs: readonly Verb[],
    resource: ServedResource,
  ): OperationSpec[] {
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objectContent(schema);
    // The scale subresource of a custom resource is published with the custom kind, not with Scale.
    const shared = { kind: kindOf(this.#isCustom ? resource : kind) };
    const operations: OperationSpec[] = [];
    if (verbs.includes('get')) {
      operations.push({
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
      operations.push({
        ...shared,
        method: 'put',
        operationId: names.operationId('replace'),
        description: `Replace the ${names.kindText}.`,
        parameters: [...updateParameters, prettyParameter],
        body: { content: this.#requestContent(schema), required: true },
        responses: { 200: object, 201: object },
        action: 'put',
      });
    }
    if (verbs.includes('delete')) operations.push(this.#deleteOperation(resource, names, resource));
    if (verbs.includes('patch')) {
      operations.push({
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
    return operations;
  }

  #subresourceOperations(
    resource: ServedResource,
    name: string,
    subresource: Subresource,
  ): readonly (readonly [subpath: string, operations: readonly OperationSpec[]])[] {
    const { verbs, connect } = subresource;
    const names = new OperationNames(resource.definition, name);
    if (connect) return connectOperations(resource, subresource, names, this.#types);
    const kind = resource.kindOf(name);
    if (verbs.includes('create')) return [['', [this.#createOperation(kind, names)]]];
    return [['', this.#objectOperations(kind, names, verbs, resource)]];
  }

  #createOperation(kind: ServedKind, names: OperationNames): OperationSpec {
    const schema = this.#schemas.refToKind(kind);
    const object = this.#objectContent(schema);
    return {
      method: 'post',
      operationId: names.operationId('create'),
      description: `Create a ${names.kindText}.`,
      parameters: [...createParameters, prettyParameter],
      body: { content: this.#requestContent(schema), required: true },
      responses: { 200: object, 201: object, 202: object },
      action: 'post',
      kind: kindOf(kind),
    };
  }

  #deleteOperation(kind: ServedKind, names: OperationNames, { definition }: ServedResource): OperationSpec {
    const { strategy, plural } = definition;
    // The published response of deleting a namespace is a Status.
    const returnsObject = strategy.deleteReturnsObject && plural !== 'namespaces';
    const response = this.#objectContent(
      returnsObject ? this.#schemas.refToKind(kind) : this.#schemas.refTo(Status),
    );
    return {
      method: 'delete',
      operationId: names.operationId('delete'),
      description: `Delete the ${names.kindText}.`,
      parameters: [...deleteParameters, prettyParameter],
      body: { content: this.#requestContent(this.#schemas.refTo(DeleteOptions)), required: false },
      responses: { 200: response, 202: response },
      action: 'delete',
      kind: kindOf(kind),
    };
  }

  #listOperation(kind: ServedKind, names: OperationNames, operationId: string): OperationSpec {
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

  #watchOperation(kind: ServedKind, operationId: string, action: 'watch' | 'watchlist'): OperationSpec {
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

  #objectContent(schema: Schema): MediaTypeObjects {
    return contentOf(this.#types.objects, schema);
  }

  /** The content of a request body. Upstream publishes any media type for built-in kinds. */
  #requestContent(schema: Schema): MediaTypeObjects {
    return contentOf(this.#isCustom ? this.#types.objects : ['*/*'], schema);
  }
}

function kindOf({ group, version, kind }: ServedKind): GroupVersionKind {
  return { group, version, kind };
}

function rootOf({ group, apiVersion }: ServedResource): string {
  return group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
}
