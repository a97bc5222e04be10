// Joins OpenAPI documents from parts (the paths and schemas of some resources) that are encoded and compressed once.
import { CooperativeYield } from '../base/cooperative-yield.ts';
import { DeflatedChunk } from '../codec/gzip/deflated-chunk.ts';
import type { Schema } from './builder/document.ts';
import type { DocumentEncoding } from './builder/document-encoding.ts';

/** The compressed paths and schemas of some resources. */
export interface CompressedPart {
  readonly paths: DeflatedChunk;
  readonly schemas: DeflatedChunk;
}

export async function compressPart<Item>(
  encoding: DocumentEncoding<Item, never>,
  paths: Readonly<Record<string, Item>>,
  schemas: Readonly<Record<string, Schema>>,
): Promise<CompressedPart> {
  return compressEncoded({ paths: encoding.paths(paths), schemas: encoding.schemas(schemas) });
}

export async function compressEncoded(encoded: {
  readonly paths: Buffer;
  readonly schemas: Buffer;
}): Promise<CompressedPart> {
  return {
    paths: await DeflatedChunk.deflate(encoded.paths),
    schemas: await DeflatedChunk.deflate(encoded.schemas),
  };
}

/** Joins the parts to one gzip stream without encoding or compressing them again. */
export async function joinParts<Item, Frame>(
  encoding: DocumentEncoding<Item, Frame>,
  frame: Frame,
  parts: readonly CompressedPart[],
): Promise<Buffer> {
  const separator = await DeflatedChunk.deflate(encoding.separator);
  const paths = withSeparators(
    parts.map((part) => part.paths),
    separator,
  );
  const schemas = withSeparators(
    parts.map((part) => part.schemas),
    separator,
  );
  // Protobuf writes the lengths of the encoded paths and schemas in the frame.
  const { before, between, after } = encoding.encodeFrame(frame, lengthOf(paths), lengthOf(schemas));
  return DeflatedChunk.toGzip(
    [
      await DeflatedChunk.deflate(before),
      ...paths,
      await DeflatedChunk.deflate(between),
      ...schemas,
      await DeflatedChunk.deflate(after),
    ],
    new CooperativeYield(),
  );
}

function withSeparators(parts: readonly DeflatedChunk[], separator: DeflatedChunk): DeflatedChunk[] {
  return parts
    .filter(({ uncompressedLength }) => uncompressedLength > 0)
    .flatMap((part, index) =>
      index === 0 || separator.uncompressedLength === 0 ? [part] : [separator, part],
    );
}

const lengthOf = (parts: readonly DeflatedChunk[]) =>
  parts.reduce((sum, { uncompressedLength }) => sum + uncompressedLength, 0);
