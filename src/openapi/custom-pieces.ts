// Parts of OpenAPI documents for custom resources, cached by definition.
import type { ServedResource } from '../kind/registry.ts';
import { schemasBesideCustom } from './builder/custom/custom-schemas.ts';
import {
  type OpenApiWorker,
  type RenderedCustomResource,
  renderCustomResource,
} from './builder/custom/render.ts';
import type { PathItem } from './builder/document.ts';
import type { DocumentFormat, Encoding } from './builder/document-encoding.ts';
import { encodings3 } from './builder/encoding.ts';
import type { Parameter2 } from './builder/v2.ts';
import { compressed, makePiece, type Piece } from './pieces.ts';
import type { DocumentContext } from './v3.ts';

/** A part of the v2 document, with its shared parameters. */
export interface Piece2 extends Piece {
  readonly parameters: ReadonlyMap<string, Parameter2>;
}

/** The parts of each custom resource, rendered at first use and kept until its definition changes. */
export class CustomPieces {
  readonly #context: DocumentContext;
  readonly #elsewhere: OpenApiWorker | undefined;
  readonly #version2 = new WeakMap<ServedResource, Partial<Record<DocumentFormat, Promise<Piece2>>>>();
  readonly #version3 = new WeakMap<ServedResource, Partial<Record<DocumentFormat, Promise<Piece>>>>();
  /** By format and by whether there is a scale: the schemas that all custom resources share. */
  readonly #beside = new Map<string, Promise<Piece>>();

  constructor(context: DocumentContext, elsewhere: OpenApiWorker | undefined) {
    this.#context = context;
    this.#elsewhere = elsewhere;
  }

  version2(resource: ServedResource, form: DocumentFormat): Promise<Piece2> {
    return kept(this.#version2, resource, form, async () => {
      const texts = await this.#texts(resource, 2, form);
      return { ...(await compressed(texts)), parameters: texts.parameters };
    });
  }

  /** The parts of a v3 document: one for each resource, and one for the shared schemas. */
  async version3(resources: readonly ServedResource[], form: DocumentFormat): Promise<Piece[]> {
    const encoding = encodings3[form];
    const pieces: Piece[] = [];
    for (const resource of resources) {
      pieces.push(
        await kept(this.#version3, resource, form, async () =>
          compressed(await this.#texts(resource, 3, form)),
        ),
      );
    }
    const hasScale = resources.some((resource) => resource.subresource('scale') !== undefined);
    return [...pieces, await this.#schemasBeside(encoding, form, hasScale)];
  }

  #schemasBeside(
    encoding: Encoding<PathItem, never>,
    form: DocumentFormat,
    hasScale: boolean,
  ): Promise<Piece> {
    const key = `${form} ${hasScale}`;
    let piece = this.#beside.get(key);
    if (!piece) {
      const { dialect, publishEnums } = this.#context;
      piece = makePiece(encoding, {}, schemasBesideCustom(dialect, hasScale, publishEnums));
      this.#beside.set(key, piece);
    }
    return piece;
  }

  async #texts(
    resource: ServedResource,
    version: 2 | 3,
    form: DocumentFormat,
  ): Promise<RenderedCustomResource> {
    const written = await this.#elsewhere?.textsOf(resource, version, form);
    return written ?? renderCustomResource(this.#context.dialect, resource, version, form);
  }
}

function kept<P>(
  pieces: WeakMap<ServedResource, Partial<Record<DocumentFormat, Promise<P>>>>,
  resource: ServedResource,
  form: DocumentFormat,
  make: () => Promise<P>,
): Promise<P> {
  let forms = pieces.get(resource);
  if (!forms) {
    forms = {};
    pieces.set(resource, forms);
  }
  forms[form] ??= make();
  return forms[form];
}
