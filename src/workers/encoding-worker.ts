// Encodes large responses and OpenAPI documents of custom resources on a worker thread.
import { minPreparedSchemaBytes } from '../crd/read-schema.ts';
import type { ServedResource } from '../kind/registry.ts';
import type { OpenApiWorker, RenderedCustomResource } from '../openapi/builder/custom/render.ts';
import type { DocumentFormat } from '../openapi/builder/document-encoding.ts';
import type { ItemNumbers, SerializedKind } from '../serializers/serializer.ts';
import type { SerializationWorker } from '../serializers/serializers.ts';
import { asBuffer } from './messages.ts';
import type { OnDemandThread } from './on-demand-thread.ts';

export class EncodingWorker implements SerializationWorker, OpenApiWorker {
  readonly #thread: Pick<OnDemandThread, 'run'>;

  constructor(thread: Pick<OnDemandThread, 'run'>) {
    this.#thread = thread;
  }

  /** Returns undefined if the serving thread has to encode the object. `item` is set for an item of a list. */
  async write(
    mediaType: string,
    { apiVersion, kind, schemaReference }: SerializedKind,
    json: Buffer,
    item?: ItemNumbers,
  ): Promise<Buffer | undefined> {
    if (!schemaReference) return undefined;
    // Copied only when the task is sent.
    const outcome = await this.#thread.run(() => {
      return { mediaType, kind: { apiVersion, kind, schemaReference }, item, bytes: new Uint8Array(json) };
    });
    return outcome.is === 'encoded' ? asBuffer(outcome.bytes) : undefined;
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
