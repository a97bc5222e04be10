// An object as an informer or lister returns it: stored bytes, which are decoded only if a caller asks for it.
import type { ServedResource } from '../kind/registry.ts';
import { decodeLazily, decodeStored, tryDecodeLazily, tryDecodeStored } from '../kind/storage/codec.ts';
import { type StoredMetadata, tryReadMetadata } from '../kind/storage/stored-metadata.ts';
import type { StoredObject } from '../store/store.ts';
import { decodePairs } from '../store/stored-object.ts';

export class InformerObject<T> {
  readonly #resource: ServedResource;
  readonly #stored: StoredObject;
  #metadata: StoredMetadata | undefined;

  constructor(resource: ServedResource, stored: StoredObject) {
    this.#resource = resource;
    this.#stored = stored;
  }

  /** `namespace/name`, or `name` for a cluster-scoped object. */
  get key(): string {
    return this.#stored.key.slice(this.#resource.prefix.length + 1);
  }

  get namespace(): string {
    return this.#resource.namespaceAndName(this.#stored.key).namespace;
  }

  get name(): string {
    return this.#resource.namespaceAndName(this.#stored.key).name;
  }

  /** The bytes in the storage version. Callers must not change them. */
  get json(): Buffer {
    return this.#stored.json;
  }

  get resourceVersion(): string {
    return String(this.#stored.revision);
  }

  /** The labels, without decoding the object. */
  get labels(): ReadonlyMap<string, string> {
    return decodePairs(this.#stored.labels);
  }

  /** The value of a selectable field such as `status.phase`, without decoding the object. */
  field(path: string): string | undefined {
    return decodePairs(this.#stored.selectableFields).get(path);
  }

  /** The metadata without managedFields and labels; undefined if the bytes are corrupt. */
  metadata(): StoredMetadata | undefined {
    this.#metadata ??= tryReadMetadata(this.#stored);
    return this.#metadata;
  }

  /** The stored state with copied bytes, for a cache: those of the store are slices that keep larger buffers alive. */
  copyState(): Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint' | 'revision'> {
    const { key, schemaFingerprint, revision } = this.#stored;
    const json = Buffer.allocUnsafeSlow(this.json.length);
    this.json.copy(json);
    return { key, json, schemaFingerprint, revision };
  }

  /** A copy that the caller may change. Throws Unreadable if the bytes are corrupt. */
  decode(): T {
    return decodeStored(this.#resource, this.#stored) as T;
  }

  /** As decode; undefined if the bytes are corrupt. */
  tryDecode(): T | undefined {
    return tryDecodeStored(this.#resource, this.#stored) as T | undefined;
  }

  /** Read-only and cheaper than decode: see decodeLazily in kind/storage. Throws Unreadable if the bytes are corrupt. */
  decodeLazily(): T {
    return decodeLazily(this.#resource, this.#stored) as T;
  }

  /** As decodeLazily; undefined if the bytes are corrupt. */
  tryDecodeLazily(): T | undefined {
    return tryDecodeLazily(this.#resource, this.#stored) as T | undefined;
  }
}
