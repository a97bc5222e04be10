// Compressed parts that OpenAPI documents are joined from.
import { CooperativeYield } from '../base/cooperative-yield.ts';
import { GzipPiece } from '../codec/gzip/gzip-pieces.ts';
import type { Schema } from './builder/document.ts';
import type { Encoding } from './builder/document-encoding.ts';

/** Compressed paths and schemas of a document. */
export interface Piece {
  readonly paths: GzipPiece;
  readonly schemas: GzipPiece;
}

export async function makePiece<Item>(
  encoding: Encoding<Item, never>,
  paths: Readonly<Record<string, Item>>,
  schemas: Readonly<Record<string, Schema>>,
): Promise<Piece> {
  return compressed({ paths: encoding.paths(paths), schemas: encoding.schemas(schemas) });
}

export async function compressed(texts: {
  readonly paths: Buffer;
  readonly schemas: Buffer;
}): Promise<Piece> {
  return { paths: await GzipPiece.of(texts.paths), schemas: await GzipPiece.of(texts.schemas) };
}

/** Joins compressed parts to a document without encoding or compressing them again. */
export async function joinPieces<Item, Frame>(
  encoding: Encoding<Item, Frame>,
  frame: Frame,
  pieces: readonly Piece[],
): Promise<Buffer> {
  const separator = await GzipPiece.of(encoding.separator);
  const paths = separated(
    pieces.map((piece) => piece.paths),
    separator,
  );
  const schemas = separated(
    pieces.map((piece) => piece.schemas),
    separator,
  );
  const { before, between, after } = encoding.around(frame, lengthOf(paths), lengthOf(schemas));
  return GzipPiece.joined(
    [
      await GzipPiece.of(before),
      ...paths,
      await GzipPiece.of(between),
      ...schemas,
      await GzipPiece.of(after),
    ],
    new CooperativeYield(),
  );
}

function separated(pieces: readonly GzipPiece[], separator: GzipPiece): GzipPiece[] {
  return pieces
    .filter(({ length }) => length > 0)
    .flatMap((piece, index) => (index === 0 || separator.length === 0 ? [piece] : [separator, piece]));
}

const lengthOf = (pieces: readonly GzipPiece[]) => pieces.reduce((sum, { length }) => sum + length, 0);
