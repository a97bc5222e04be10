// The OpenAPI paths and schemas of custom resources, rendered and compressed once per definition. A part is the paths and
// schemas of one resource, from which documents are joined.
import type { ServedResource } from '../kind/registry.ts';
import { builtInSchemasForCustomResources } from './builder/custom/custom-schemas.ts';
import {
  type OpenApiWorker,
  type RenderedCustomResource,
  renderCustomResource,
} from './builder/custom/render.ts';
import type { PathItem } from './builder/document.ts';
import type { DocumentEncoding, DocumentFormat } from './builder/document-encoding.ts';
import { encodings3 } from './builder/encoding.ts';
import type { Parameter2 } from './builder/v2.ts';
import { type CompressedPart, compressEncoded, compressPart } from './document-parts.ts';
import type { DocumentContext } from './v3.ts';

/** A part of the v2 document, with its shared parameters. */
export interface CompressedPart2 extends CompressedPart {
  readonly parameters: ReadonlyMap<string, Parameter2>;
}

/** Renders at first use. A changed definition is a new ServedResource, which the cache does not have. */
export class CustomResourceParts {
  readonly #context: DocumentContext;
  readonly #worker: OpenApiWorker | undefined;
  readonly #version2 = new WeakMap<
    ServedResource,
    Partial<Record<DocumentFormat, Promise<CompressedPart2>>>
  >();
  readonly #version3 = new WeakMap<
    ServedResource,
    Partial<Record<DocumentFormat, Promise<CompressedPart>>>
  >();
  /** The schemas that all custom resources share, by format and by whether a resource has the scale subresource. */
  readonly #sharedSchemas = new Map<string, Promise<CompressedPart>>();

  constructor(context: DocumentContext, worker: OpenApiWorker | undefined) {
    this.#context = context;
    this.#worker = worker;
  }

  version2(resource: ServedResource, format: DocumentFormat): Promise<CompressedPart2> {
    return cachedPart(this.#version2, resource, format, async () => {
      const rendered = await this.#render(resource, 2, format);
      return { ...(await compressEncoded(rendered)), parameters: rendered.parameters };
    });
  }

  /** The parts of a v3 document: one for each resource, and one for the shared schemas. */
  async version3(resources: readonly ServedResource[], format: DocumentFormat): Promise<CompressedPart[]> {
    const encoding = encodings3[format];
    const parts: CompressedPart[] = [];
    for (const resource of resources) {
      parts.push(
        await cachedPart(this.#version3, resource, format, async () =>
          compressEncoded(await this.#render(resource, 3, format)),
        ),
      );
    }
    const hasScale = resources.some((resource) => resource.subresource('scale') !== undefined);
    return [...parts, await this.#sharedSchemasPart(encoding, format, hasScale)];
  }

  #sharedSchemasPart(
    encoding: DocumentEncoding<PathItem, never>,
    format: DocumentFormat,
    hasScale: boolean,
  ): Promise<CompressedPart> {
    const key = `${format} ${hasScale}`;
    let part = this.#sharedSchemas.get(key);
    if (!part) {
      const { dialect, publishEnums } = this.#context;
      const schemas = builtInSchemasForCustomResources(dialect, { hasScale, publishEnums });
      part = compressPart(encoding, {}, schemas);
      this.#sharedSchemas.set(key, part);
    }
    return part;
  }

  async #render(
    resource: ServedResource,
    version: 2 | 3,
    format: DocumentFormat,
  ): Promise<RenderedCustomResource> {
    const rendered = await this.#worker?.render(resource, version, format);
    return rendered ?? renderCustomResource(this.#context.dialect, resource, version, format);
  }
}

function cachedPart<P>(
  parts: WeakMap<ServedResource, Partial<Record<DocumentFormat, Promise<P>>>>,
  resource: ServedResource,
  format: DocumentFormat,
  render: () => Promise<P>,
): Promise<P> {
  let byFormat = parts.get(resource);
  if (!byFormat) {
    byFormat = {};
    parts.set(resource, byFormat);
  }
  byFormat[format] ??= render();
  return byFormat[format];
}
