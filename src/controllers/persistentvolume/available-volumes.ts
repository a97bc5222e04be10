// The volumes that no claim refers to, ordered for the search of the smallest one that fits a claim.
import {
  compileNodeSelector,
  compileSelector,
  type LabelledNode,
  type LabelMap,
  type LabelMatcher,
  type NodeMatcher,
} from '../../apis/core/compiled-selectors.ts';
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import {
  storageClassOf,
  storageOf,
  supportsAccessModes,
  type VolumeAnnotations,
} from '../../apis/core/volume-binding.ts';
import { compareQuantities, type Quantity } from '../../schema/quantity.ts';

/** A volume as the search needs it: small, because all volumes without a claim are in memory. */
export interface VolumeCandidate {
  readonly name: string;
  readonly className: string;
  readonly accessModes: readonly string[];
  readonly capacity: Quantity;
  readonly volumeMode: string;
  readonly attributesClass: string;
  readonly labels: LabelMap;
  /** False until its phase is Available, and once it is being deleted. */
  readonly isAvailable: boolean;
  /** The nodes that can access it; undefined for all. */
  readonly matchesNode: NodeMatcher | undefined;
}

export interface VolumeRequest {
  readonly className: string;
  readonly accessModes: readonly string[];
  readonly capacity: Quantity;
  readonly volumeMode: string;
  readonly attributesClass: string;
  /** Undefined without a selector. */
  readonly matchesLabels: LabelMatcher | undefined;
}

export function volumeCandidate(volume: PersistentVolume, annotations: VolumeAnnotations): VolumeCandidate {
  const { metadata, spec, status } = volume;
  const required = spec.nodeAffinity?.required;
  return {
    name: metadata.name ?? '',
    className: storageClassOf(volume, annotations),
    accessModes: [...(spec.accessModes ?? [])],
    capacity: storageOf(spec.capacity),
    volumeMode: spec.volumeMode ?? 'Filesystem',
    attributesClass: spec.volumeAttributesClassName ?? '',
    labels: new Map(Object.entries(metadata.labels ?? {})),
    isAvailable: status.phase === 'Available' && metadata.deletionTimestamp === undefined,
    matchesNode: required && compileNodeSelector(required),
  };
}

export function volumeRequest(claim: PersistentVolumeClaim, annotations: VolumeAnnotations): VolumeRequest {
  const { spec } = claim;
  return {
    className: storageClassOf(claim, annotations),
    accessModes: spec.accessModes ?? [],
    capacity: storageOf(spec.resources?.requests),
    volumeMode: spec.volumeMode ?? 'Filesystem',
    attributesClass: spec.volumeAttributesClassName ?? '',
    matchesLabels: spec.selector && compileSelector(spec.selector),
  };
}

/** Whether a volume is large enough and of the same mode and attributes. A volume that is reserved for a claim needs no more. */
export const fitsRequest = (
  { capacity, volumeMode, attributesClass }: VolumeCandidate,
  request: VolumeRequest,
): boolean =>
  compareQuantities(capacity, request.capacity) >= 0 &&
  volumeMode === request.volumeMode &&
  attributesClass === request.attributesClass;

/** Candidates of one class with the same access modes, by capacity and name. */
interface Shelf {
  readonly accessModes: readonly string[];
  readonly candidates: VolumeCandidate[];
}

export class AvailableVolumes {
  readonly #byName = new Map<string, VolumeCandidate>();
  /** By class and access modes. */
  readonly #shelves = new Map<string, Map<string, Shelf>>();

  /** Adds or replaces a volume. */
  set(candidate: VolumeCandidate): void {
    this.delete(candidate.name);
    this.#byName.set(candidate.name, candidate);
    const { candidates } = this.#shelfOf(candidate);
    candidates.splice(firstNotBefore(candidates, candidate), 0, candidate);
  }

  delete(name: string): void {
    const candidate = this.#byName.get(name);
    if (!candidate) return;
    this.#byName.delete(name);
    const { candidates } = this.#shelfOf(candidate);
    candidates.splice(firstNotBefore(candidates, candidate), 1);
    if (candidates.length > 0) return;
    const shelves = this.#shelves.get(candidate.className)!;
    shelves.delete(modesKey(candidate));
    if (shelves.size === 0) this.#shelves.delete(candidate.className);
  }

  clear(): void {
    this.#byName.clear();
    this.#shelves.clear();
  }

  get(name: string): VolumeCandidate | undefined {
    return this.#byName.get(name);
  }

  /** The sets of access modes of the volumes of a class, those with the fewest modes first. */
  accessModes(className: string): (readonly string[])[] {
    const shelves = [...(this.#shelves.get(className)?.values() ?? [])];
    return shelves.map(({ accessModes }) => accessModes).sort((one, other) => one.length - other.length);
  }

  /** The smallest available volume with exactly these access modes. */
  smallest(
    request: VolumeRequest,
    accessModes: readonly string[],
    isExcluded: (name: string) => boolean,
    node?: LabelledNode,
  ): VolumeCandidate | undefined {
    const candidates = this.#shelves.get(request.className)?.get(modesKey({ accessModes }))?.candidates ?? [];
    const start = firstNotBefore(candidates, { capacity: request.capacity, name: '' });
    for (let i = start; i < candidates.length; i++) {
      const candidate = candidates[i]!;
      const { name, isAvailable, labels, matchesNode } = candidate;
      if (!isAvailable || !fitsRequest(candidate, request) || isExcluded(name)) continue;
      if (request.matchesLabels && !request.matchesLabels(labels)) continue;
      if (node && matchesNode && !matchesNode(node)) continue;
      return candidate;
    }
    return undefined;
  }

  /** The smallest available volume for a node, whatever further access modes it has. */
  smallestOnNode(
    request: VolumeRequest,
    node: LabelledNode,
    isExcluded: (name: string) => boolean,
  ): VolumeCandidate | undefined {
    let best: VolumeCandidate | undefined;
    for (const accessModes of this.accessModes(request.className)) {
      if (!supportsAccessModes(accessModes, request.accessModes)) continue;
      const candidate = this.smallest(request, accessModes, isExcluded, node);
      if (candidate && (!best || isBefore(candidate, best))) best = candidate;
    }
    return best;
  }

  #shelfOf(candidate: VolumeCandidate): Shelf {
    const { className, accessModes } = candidate;
    const shelves = this.#shelves.get(className) ?? new Map<string, Shelf>();
    this.#shelves.set(className, shelves);
    const key = modesKey(candidate);
    const shelf = shelves.get(key) ?? { accessModes, candidates: [] };
    shelves.set(key, shelf);
    return shelf;
  }
}

export const modesKey = ({ accessModes }: Pick<VolumeCandidate, 'accessModes'>): string =>
  [...new Set(accessModes)].sort().join();

type Ranked = Pick<VolumeCandidate, 'capacity' | 'name'>;

function isBefore(one: Ranked, other: Ranked): boolean {
  const order = compareQuantities(one.capacity, other.capacity);
  return order === 0 ? one.name < other.name : order < 0;
}

/** The index of the first candidate that is not before `limit`. */
function firstNotBefore(candidates: readonly Ranked[], limit: Ranked): number {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(candidates[middle]!, limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}
