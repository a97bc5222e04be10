// Encodes large responses and OpenAPI documents of custom resources on a worker thread.
import { digestOf } from '../base/digest.ts';
import { minPreparedSchemaBytes } from '../crd/read-schema.ts';
import type { ServedResource } from '../kind/registry.ts';
import { storedJsonInVersion } from '../kind/storage/codec.ts';
import { type RowTemplate, rowTemplateOf, type StoredRow } from '../kind/table/row-template.ts';
import type { OpenApiWorker, RenderedCustomResource } from '../openapi/builder/custom/render.ts';
import type { DocumentFormat } from '../openapi/builder/document-encoding.ts';
import type { TaskOwner } from '../request/task-owner.ts';
import type { SerializedKind, Wrapping } from '../serializers/serializer.ts';
import type { SerializationWorker } from '../serializers/serializers.ts';
import { asBuffer, type RenderStoredMessage } from './messages.ts';
import type { OnDemandThread } from './on-demand-thread.ts';
import { SharedResults } from './shared-results.ts';

export class EncodingWorker implements SerializationWorker, OpenApiWorker {
  readonly #thread: Pick<OnDemandThread, 'run'>;
  readonly #results = new SharedResults();
  readonly #definitionIds = new WeakMap<object, number>();
  #nextDefinitionId = 0;

  constructor(thread: Pick<OnDemandThread, 'run'>) {
    this.#thread = thread;
  }

  /** Returns undefined if the serving thread has to encode the object. */
  async write(
    mediaType: string,
    { apiVersion, kind, schemaReference }: SerializedKind,
    json: Buffer,
    wrapping: Wrapping | undefined,
    owner: TaskOwner,
  ): Promise<Buffer | undefined> {
    if (!schemaReference) return undefined;
    const transferredKind = { apiVersion, kind, schemaReference };
    // Copied only when the task is sent.
    const makeTask = () => ({ mediaType, kind: transferredKind, wrapping, bytes: new Uint8Array(json) });
    const encode = async (taskOwner: TaskOwner) => {
      const outcome = await this.#thread.run(makeTask, taskOwner);
      return outcome.is === 'encoded' ? asBuffer(outcome.bytes) : undefined;
    };
    const key = `${JSON.stringify([mediaType, transferredKind, wrapping])} ${digestOf(json)}`;
    return this.#results.get(key, owner, encode);
  }

  async tableRow(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<RowTemplate> {
    const renderHere = () => Buffer.from(JSON.stringify(rowTemplateOf(resource, stored)));
    const row = await this.#render('tableRow', resource, stored, owner, renderHere);
    return JSON.parse(row.toString()) as RowTemplate;
  }

  inVersion(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<Buffer> {
    return this.#render('json', resource, stored, owner, () => storedJsonInVersion(resource, stored));
  }

  async #render(
    renders: RenderStoredMessage['renders'],
    resource: ServedResource,
    stored: StoredRow,
    owner: TaskOwner,
    renderHere: () => Buffer,
  ): Promise<Buffer> {
    // A list item builds its JSON on each access.
    const { json } = stored;
    const render = async (taskOwner: TaskOwner) => {
      const outcome = await this.#thread.run(() => renderTask(renders, resource, stored, json), taskOwner);
      return outcome.is === 'encoded' ? asBuffer(outcome.bytes) : renderHere();
    };
    const cacheKey = `${renders} ${this.#idOf(resource.definition)} ${digestOf(json)}`;
    return (await this.#results.get(cacheKey, owner, render))!;
  }

  /** Identifies a definition: that of a custom resource is replaced when its columns change. */
  #idOf(definition: object): number {
    let id = this.#definitionIds.get(definition);
    if (id === undefined) {
      id = this.#nextDefinitionId++;
      this.#definitionIds.set(definition, id);
    }
    return id;
  }

  /** Returns undefined if the serving thread has to render the document: small ones are rendered there. */
  async render(
    { group, version, definition: { plural, published } }: ServedResource,
    openApi: 2 | 3,
    format: DocumentFormat,
  ): Promise<RenderedCustomResource | undefined> {
    if (!published || published.definition.json.length < minPreparedSchemaBytes) return undefined;
    const { key, schemaFingerprint, revision, json } = published.definition;
    const outcome = await this.#thread.run(() => {
      const resource = { group, version, plural };
      return {
        resource,
        openApi,
        format,
        definition: { key, schemaFingerprint, revision },
        bytes: new Uint8Array(json),
      };
    });
    if (outcome.is !== 'rendered') return undefined;
    const { paths, schemas, parameters } = outcome.texts;
    return { paths: asBuffer(paths), schemas: asBuffer(schemas), parameters };
  }
}

function renderTask(
  renders: RenderStoredMessage['renders'],
  { group, version, definition: { plural, published } }: ServedResource,
  { key, schemaFingerprint }: StoredRow,
  json: Buffer,
): RenderStoredMessage {
  const definition = published?.definition;
  const bytes = new Uint8Array(json.length + (definition?.json.length ?? 0));
  bytes.set(json);
  if (definition) bytes.set(definition.json, json.length);
  return {
    renders,
    version: { group, version, plural },
    ...{ key, schemaFingerprint, objectLength: json.length, bytes },
    definition: definition && {
      key: definition.key,
      schemaFingerprint: definition.schemaFingerprint,
      revision: definition.revision,
    },
  };
}
