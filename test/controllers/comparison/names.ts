// Replaces what differs from run to run in the outcome of a scenario: generated names, hashes, uids, versions, times and
// addresses.
import type { AnyObject } from '../kube-controller-manager/api.ts';
import type { Change } from './recorder.ts';

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const address = /\b10\.\d+\.\d+\.\d+\b/g;
/** The name of an object that was not created. */
const rejectedName =
  /((?:pods|resourceclaims\.\S+) \\*"[a-z0-9[\]-]+-)[bcdfghjklmnpqrstvwxz2456789]{5}(\\*" is forbidden)/g;
const resourceVersion = /"resourceVersion":"\d+"/g;
/** Upstream lists them in random order. */
const autoscalers = /(?<=controlled by multiple HPAs: \[)[^\]]+/g;
const duration = /\b\d+(\.\d+)?(ms|s)\b/g;

/** Kinds whose names end in a hash of the owner's template. They are numbered in the order of their creation. */
const hashedKinds = new Set(['apis/apps/v1 replicasets', 'apis/apps/v1 controllerrevisions']);

export class GeneratedNames {
  /** Longest first: a name may contain another. */
  readonly #replacements: (readonly [string, string])[];

  constructor(changes: readonly Change[]) {
    const added = changes.filter(({ type }) => type === 'ADDED');
    const replacements = new Map<string, string>();
    const countOf = new Map<string, number>();
    for (const { kind, object } of added) {
      const owner = object.metadata.ownerReferences?.[0]?.name;
      const { name } = object.metadata;
      if (hashedKinds.has(kind) && owner !== undefined && name.startsWith(`${owner}-`)) {
        const count = (countOf.get(`${kind} ${owner}`) ?? 0) + 1;
        countOf.set(`${kind} ${owner}`, count);
        const hash = name.slice(owner.length + 1);
        if (!replacements.has(hash)) replacements.set(hash, `[${count}]`);
      }
      if (hasGeneratedName(object)) replacements.set(name, `${generateNameOf(object)}*`);
    }
    this.#replacements = [...replacements].sort(([one], [other]) => other.length - one.length);
  }

  rewrite(text: string): string {
    let rewritten = text;
    for (const [from, to] of this.#replacements) rewritten = rewritten.replaceAll(from, to);
    // The prefix of a generated name may contain a hash.
    for (const [from, to] of this.#replacements) rewritten = rewritten.replaceAll(from, to);
    return rewritten
      .replaceAll(rejectedName, '$1*$2')
      .replaceAll(uid, '<uid>')
      .replaceAll(time, '<time>')
      .replaceAll(resourceVersion, '"resourceVersion":"<version>"')
      .replaceAll(address, '<ip>')
      .replaceAll(duration, '<duration>')
      .replaceAll(autoscalers, (keys) => keys.split(' ').sort().join(' '));
  }
}

const generatedSuffix = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** Pods of StatefulSets have a generateName too, but names with their ordinals. */
export function hasGeneratedName(object: AnyObject): boolean {
  const prefix = generateNameOf(object);
  return prefix !== undefined && generatedSuffix.test(object.metadata.name.slice(prefix.length));
}

const generateNameOf = ({ metadata }: AnyObject) =>
  (metadata as { readonly generateName?: string }).generateName;
