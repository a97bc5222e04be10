// A change on its way to the channels: what selections and their index read of it, decoded at most once.
import type { Change, EqualityRequirement } from '../store.ts';
import { decodePairs } from '../stored-object.ts';
import { type SelectableChange, toSelectable } from './event.ts';

/** Where the pairs are: labels, selectable fields or the key. */
export type PairSource = EqualityRequirement['kind'];
export type Pairs = ReadonlyMap<string, string>;

export class RoutedChange {
  readonly change: Change;
  #selectable: SelectableChange | undefined;
  readonly #pairs: { [Source in PairSource]?: readonly Pairs[] } = {};

  constructor(change: Change) {
    this.change = change;
  }

  get selectable(): SelectableChange {
    this.#selectable ??= toSelectable(this.change);
    return this.#selectable;
  }

  /** The labels, the fields or the parts of the key, of the new and the old state; one element if both have the same. */
  pairsOf(source: PairSource): readonly Pairs[] {
    this.#pairs[source] ??= this.#decode(source);
    return this.#pairs[source];
  }

  #decode(source: PairSource): Pairs[] {
    if (source === 'key') return [keyPairs(this.change)];
    const { object, previous = object } = this.selectable;
    const stored = source === 'label' ? 'labels' : 'selectableFields';
    const states = new Set([object[stored], previous[stored]]);
    return Array.from(states, decodePairs);
  }
}

function keyPairs({ prefix, key }: Change): Pairs {
  const namespaceStart = prefix.length + 1;
  const nameStart = key.lastIndexOf('/') + 1;
  return new Map([
    ['metadata.name', key.slice(nameStart)],
    ['metadata.namespace', key.slice(namespaceStart, Math.max(nameStart - 1, namespaceStart))],
  ]);
}
