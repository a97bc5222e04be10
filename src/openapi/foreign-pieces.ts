// OpenAPI of aggregated API servers, merged into /openapi/v2.
import type { RemoteDescription } from '../aggregation/remote-openapi.ts';
import type { Schema } from './builder/document.ts';
import type { DocumentFormat } from './builder/document-encoding.ts';
import { encodings2 } from './builder/encoding.ts';
import type { PathItem2 } from './builder/v2.ts';
import type { Piece2 } from './custom-pieces.ts';
import { makePiece } from './pieces.ts';

/** The parts of aggregated API servers in the v2 document, built once. */
export class ForeignPieces {
  readonly #pieces = new WeakMap<
    RemoteDescription,
    Partial<Record<DocumentFormat, Promise<Piece2 | undefined>>>
  >();

  /** Leaves out definitions whose name is `known`: both describe the same type. */
  of(
    described: RemoteDescription,
    form: DocumentFormat,
    known: ReadonlySet<string>,
  ): Promise<Piece2 | undefined> {
    const pieces = this.#pieces.get(described) ?? {};
    this.#pieces.set(described, pieces);
    pieces[form] ??= this.#make(described, form, known);
    return pieces[form];
  }

  async #make(
    { version2 }: RemoteDescription,
    form: DocumentFormat,
    known: ReadonlySet<string>,
  ): Promise<Piece2 | undefined> {
    if (!version2) return undefined;
    const added = Object.entries(version2.definitions).filter(([name]) => !known.has(name));
    const definitions = Object.fromEntries(added) as Record<string, Schema>;
    const paths = version2.paths as Readonly<Record<string, PathItem2>>;
    try {
      return { ...(await makePiece(encodings2[form], paths, definitions)), parameters: new Map() };
    } catch {
      // The document is not validated; what cannot be encoded is left out.
      return undefined;
    }
  }
}
