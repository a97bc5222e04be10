/**
 * The catalogue of the indexes of labels and fields: a record in the table `meta`, so that every snapshot of the file says which of
 * its indexes are complete.
 */
import type { ContentRequirement } from '../store.ts';
import type { ReadSnapshot } from './environment.ts';
import type { Tables } from './tables.ts';

/** An index: the values of one label or selectable field of one resource. */
export interface IndexDefinition {
  /** Identifies its entries in the table `indexes`. */
  readonly id: number;
  /** The resource prefix. */
  readonly prefix: string;
  readonly kind: ContentRequirement['kind'];
  /** The key of the label, or the path of the field. */
  readonly name: string;
  /**
   * `building`: has the objects up to `position`, and those written since. `ready`: has all. `dropping`: its entries are being
   * removed, and no longer updated.
   */
  readonly phase: 'building' | 'ready' | 'dropping';
  /** The last key that was added; '' at the start. */
  readonly position: string;
  /** Bytes of the entries that the builder added; later writes are not counted. */
  readonly bytes: number;
}

/** Key in the table `meta`. */
const CATALOGUE_KEY = 'selector-indexes';

const none: readonly IndexDefinition[] = [];

export function readCatalogue({ tables, options }: ReadSnapshot): readonly IndexDefinition[] {
  return parse(tables.meta.get(CATALOGUE_KEY, options));
}

export function writeCatalogue({ meta }: Tables, definitions: readonly IndexDefinition[]): void {
  if (definitions.length === 0) void meta.remove(CATALOGUE_KEY);
  else void meta.put(CATALOGUE_KEY, Buffer.from(JSON.stringify(definitions)));
}

/** Reads the catalogue of many snapshots, and parses it only if it has changed. */
export class CatalogueReader {
  #bytes: Buffer | undefined;
  #definitions = none;

  read({ tables, options }: ReadSnapshot): readonly IndexDefinition[] {
    const bytes = tables.meta.get(CATALOGUE_KEY, options);
    if (!bytes) return none;
    if (!this.#bytes?.equals(bytes)) {
      this.#definitions = parse(bytes);
      this.#bytes = bytes;
    }
    return this.#definitions;
  }
}

function parse(bytes: Buffer | undefined): readonly IndexDefinition[] {
  return bytes ? (JSON.parse(bytes.toString()) as IndexDefinition[]) : none;
}
