// Encodes large responses and OpenAPI documents of custom resources on a worker thread.
import { minPreparedSchemaBytes } from '../crd/read-schema.ts';
import type { ServedResource } from '../kind/registry.ts';
import type { OpenApiWorker, RenderedCustomResource } from '../openapi/builder/custom/render.ts';
import type { DocumentFormat } from '../openapi/builder/document-encoding.ts';
import type { ItemNumbers, SerializedKind } from '../serializers/serializer.ts';
import type { SerializationWorker } from '../serializers/serializers.ts';
import { asBuffer } from './messages.ts';
import type { OnDemandThread } from './on-demand-thread.ts';

/** Has another thread write down what would take too long to write: objects, and what OpenAPI says of kinds. */
export class EncodingWorker implements SerializationWorker, OpenApiWorker {
  readonly #large: Pick<OnDemandThread, 'work'>;

  constructor(large: Pick<OnDemandThread, 'work'>) {
    this.#large = large;
  }

  /** Undefined where it has to be done here. `item`: it stands in a list. */
  async write(
    form: string,
    { apiVersion, kind, schemaReference }: SerializedKind,
    json: Buffer,
    item?: ItemNumbers,
  ): Promise<Buffer | undefined> {
    if (!schemaReference) return undefined;
    // Copied when its turn has come.
    const outcome = await this.#large.work(() => {
      return { form, kind: { apiVersion, kind, schemaReference }, item, bytes: new Uint8Array(json) };
    });
    return outcome.is === 'written' ? asBuffer(outcome.bytes) : undefined;
  }

  async render(
    { group, version, definition: { plural, published } }: ServedResource,
    openApi: 2 | 3,
    form: DocumentFormat,
  ): Promise<RenderedCustomResource | undefined> {
    if (!published || published.definition.json.length < minPreparedSchemaBytes) return undefined;
    const { key, mark, revision, json } = published.definition;
    const outcome = await this.#large.work(() => {
      const publish = { group, version, plural };
      return { publish, openApi, as: form, definition: { key, mark, revision }, bytes: new Uint8Array(json) };
    });
    if (outcome.is !== 'published') return undefined;
    const { paths, schemas, parameters } = outcome.texts;
    return { paths: asBuffer(paths), schemas: asBuffer(schemas), parameters };
  }
}
