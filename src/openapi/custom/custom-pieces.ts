import type { ServedResource } from '../../resource/registry.ts';
import { Turns } from '../../turns.ts';
import type { PathItem } from '../document.ts';
import { type Encoding, encodings2, encodings3, type Form } from '../encoding.ts';
import { customMediaTypes } from '../media-types.ts';
import { makePiece, type Piece } from '../pieces.ts';
import { ResourcePaths } from '../resource-paths.ts';
import { type Parameter2, toVersion2 } from '../v2.ts';
import type { DocumentContext } from '../v3.ts';
import { CustomSchemas, schemasBesideCustom } from './custom-schemas.ts';

/** A piece of the document of v2, with the parameters that it shares with others. */
export interface Piece2 extends Piece {
  readonly parameters: ReadonlyMap<string, Parameter2>;
}

/** What is said of each custom kind, made when it is first asked for and kept as long as the kind is what it is. */
export class CustomPieces {
  readonly #context: DocumentContext;
  readonly #schemas: CustomSchemas;
  readonly #version2 = new WeakMap<ServedResource, Partial<Record<Form, Promise<Piece2>>>>();
  readonly #version3 = new WeakMap<ServedResource, Partial<Record<Form, Promise<Piece>>>>();
  /** By form and by whether there is a scale: the schemas that all documents of custom kinds have. */
  readonly #beside = new Map<string, Promise<Piece>>();

  constructor(context: DocumentContext) {
    this.#context = context;
    this.#schemas = new CustomSchemas(context.dialect);
  }

  version2(resource: ServedResource, form: Form): Promise<Piece2> {
    return kept(this.#version2, resource, form, async () => {
      const turns = new Turns();
      const schemas = this.#schemas.of(resource, 2);
      await turns.next();
      const part = toVersion2({ paths: this.#paths(resource), components: { schemas } }, true);
      const piece = await makePiece(encodings2[form], part.paths, part.definitions);
      return { ...piece, parameters: part.parameters };
    });
  }

  /** The pieces of a document of v3: one of each kind, and one of what they refer to. */
  async version3(resources: readonly ServedResource[], form: Form): Promise<Piece[]> {
    const encoding = encodings3[form];
    const pieces: Piece[] = [];
    for (const resource of resources) {
      pieces.push(
        await kept(this.#version3, resource, form, async () => {
          const turns = new Turns();
          const schemas = this.#schemas.of(resource, 3);
          await turns.next();
          return makePiece(encoding, this.#paths(resource), schemas);
        }),
      );
    }
    const hasScale = resources.some((resource) => resource.subresource('scale') !== undefined);
    return [...pieces, await this.#schemasBeside(encoding, form, hasScale)];
  }

  #schemasBeside(encoding: Encoding<PathItem, never>, form: Form, hasScale: boolean): Promise<Piece> {
    const key = `${form} ${hasScale}`;
    let piece = this.#beside.get(key);
    if (!piece) {
      const { dialect, enumerations } = this.#context;
      piece = makePiece(encoding, {}, schemasBesideCustom(dialect, hasScale, enumerations));
      this.#beside.set(key, piece);
    }
    return piece;
  }

  #paths(resource: ServedResource): Record<string, PathItem> {
    const paths = new ResourcePaths(this.#schemas, customMediaTypes, this.#context.dialect, true);
    paths.add(resource);
    return paths.paths;
  }
}

function kept<P>(
  pieces: WeakMap<ServedResource, Partial<Record<Form, Promise<P>>>>,
  resource: ServedResource,
  form: Form,
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
