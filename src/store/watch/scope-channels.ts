/**
 * The channels of one scope (key prefix or key), indexed by a requirement of their selections.
 *
 * Invariants:
 * - A channel that could select the old or the new state of a change is a candidate for it, once.
 * - A channel with an indexed requirement is a candidate only if one of the two states fulfils that requirement. So a change
 *   costs what its candidates cost, however many other selectors are watched.
 */
import type { EqualityRequirement } from '../store.ts';
import type { Channel } from './channel.ts';
import type { PairSource, Pairs, RoutedChange } from './routed-change.ts';

/** A channel is indexed by one requirement, so only the first few are considered, and those with few values. */
const maxRequirements = 16;
const maxValues = 16;

export class ScopeChannels {
  readonly #byId = new Map<string, Channel>();
  /** The requirement by which a channel is indexed. */
  readonly #requirements = new Map<Channel, EqualityRequirement>();
  readonly #unindexed = new Set<Channel>();
  readonly #indexes: Readonly<Record<PairSource, ValueIndex>> = {
    key: new ValueIndex(),
    field: new ValueIndex(),
    label: new ValueIndex(),
  };

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Channel | undefined {
    return this.#byId.get(id);
  }

  add(channel: Channel): void {
    this.#byId.set(channel.id, channel);
    const requirement = this.#mostSelective(channel.select?.equalities ?? []);
    if (!requirement) {
      this.#unindexed.add(channel);
      return;
    }
    this.#requirements.set(channel, requirement);
    this.#indexes[requirement.kind].add(requirement, channel);
  }

  delete(channel: Channel): void {
    if (this.#byId.get(channel.id) !== channel) return;
    this.#byId.delete(channel.id);
    this.#unindexed.delete(channel);
    const requirement = this.#requirements.get(channel);
    if (!requirement) return;
    this.#requirements.delete(channel);
    this.#indexes[requirement.kind].delete(requirement, channel);
  }

  /** The channels that could select the change. */
  candidates(change: RoutedChange): Iterable<Channel> {
    if (this.#requirements.size === 0) return this.#unindexed;
    // A set: both states may fulfil requirements of one channel.
    const candidates = new Set(this.#unindexed);
    for (const source of pairSources) {
      const index = this.#indexes[source];
      if (!index.isEmpty) for (const state of change.pairsOf(source)) index.collect(state, candidates);
    }
    return candidates;
  }

  /** The requirement that the fewest channels share so far: `app=web,shard=7` is best found by its shard. */
  #mostSelective(requirements: readonly EqualityRequirement[]): EqualityRequirement | undefined {
    let best: EqualityRequirement | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const requirement of requirements.slice(0, maxRequirements)) {
      if (!isIndexable(requirement)) continue;
      const count = this.#indexes[requirement.kind].count(requirement);
      if (count >= fewest) continue;
      fewest = count;
      best = requirement;
    }
    return best;
  }
}

/** The pairs of a change lack an absent field, whose value is ''. */
function isIndexable({ kind, values }: EqualityRequirement): boolean {
  return values.length <= maxValues && (kind === 'label' || !values.includes(''));
}

const pairSources = ['key', 'field', 'label'] as const;

/** Channels by the name and value of a label, field or part of the key. */
class ValueIndex {
  readonly #byName = new Map<string, Map<string, Set<Channel>>>();

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  add({ name, values }: EqualityRequirement, channel: Channel): void {
    let byValue = this.#byName.get(name);
    if (!byValue) {
      byValue = new Map();
      this.#byName.set(name, byValue);
    }
    for (const value of values) {
      const channels = byValue.get(value);
      if (channels) channels.add(channel);
      else byValue.set(value, new Set([channel]));
    }
  }

  delete({ name, values }: EqualityRequirement, channel: Channel): void {
    const byValue = this.#byName.get(name);
    if (!byValue) return;
    for (const value of values) {
      const channels = byValue.get(value);
      channels?.delete(channel);
      if (channels?.size === 0) byValue.delete(value);
    }
    if (byValue.size === 0) this.#byName.delete(name);
  }

  /** The number of channels that share a value with this requirement. */
  count({ name, values }: EqualityRequirement): number {
    const byValue = this.#byName.get(name);
    if (!byValue) return 0;
    return values.reduce((sum, value) => sum + (byValue.get(value)?.size ?? 0), 0);
  }

  /** Adds the channels whose requirement these pairs fulfil. Goes through the shorter of the two lists of names. */
  collect(pairs: Pairs, candidates: Set<Channel>): void {
    if (pairs.size < this.#byName.size) {
      for (const [name, value] of pairs) addAll(this.#byName.get(name)?.get(value), candidates);
      return;
    }
    for (const [name, byValue] of this.#byName) {
      const value = pairs.get(name);
      if (value !== undefined) addAll(byValue.get(value), candidates);
    }
  }
}

function addAll(channels: ReadonlySet<Channel> | undefined, candidates: Set<Channel>): void {
  if (channels) for (const channel of channels) candidates.add(channel);
}
