// OpenAPI: the media types that operations consume and produce.
import type { Dialect } from '../../dialect/dialect.ts';
import type { MediaTypeObjects, Schema } from './document.ts';

/** The media types of a server, in the order of OpenAPI v2. */
export interface MediaTypes {
  /** Media types of an object. */
  readonly objects: readonly string[];
  /** Media types of a list, which can be watched. */
  readonly lists: readonly string[];
  readonly patches: readonly string[];
  /** Media types of discovery documents. */
  readonly discovery: readonly string[];
}

export function mediaTypes({ protobufMediaType }: Dialect, cbor: boolean): MediaTypes {
  const discovery = ['application/json', 'application/yaml', protobufMediaType];
  const objects = [...discovery, ...(cbor ? ['application/cbor'] : [])];
  const watchStreams = ['application/json;stream=watch', `${protobufMediaType};stream=watch`];
  return {
    discovery,
    objects,
    lists: [...objects, ...watchStreams, ...(cbor ? ['application/cbor-seq'] : [])],
    patches: [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
      ...(cbor ? ['application/apply-patch+cbor'] : []),
    ],
  };
}

/** The published media types of custom resources. */
export const customMediaTypes: MediaTypes = {
  objects: ['application/json', 'application/yaml'],
  lists: ['application/json', 'application/yaml'],
  patches: ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'],
  discovery: [],
};

/** The same schema in each of these media types. */
export function contentOf(types: readonly string[], schema: Schema): MediaTypeObjects {
  return Object.fromEntries([...types].sort().map((type) => [type, { schema }]));
}
