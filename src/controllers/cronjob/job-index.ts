// cronjob-controller: indexes Jobs by the CronJob that controls them.
import type { Job } from '../../apis/batch/job.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';

const controlled = Buffer.from('"controller":true');

/** The controller reference of a Job, read from its bytes. */
interface Controlled {
  readonly metadata: {
    readonly namespace: string;
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller?: boolean;
    }[];
  };
}

/** Holds only keys. */
export class JobsOfOwners {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #follower: Reflector;
  readonly #byOwner = new Map<string, Set<string>>();
  #ready: Promise<void> | undefined;

  /** `changed` is called with the key of the CronJob whose Jobs changed. */
  constructor(api: Api, changed: (cronJob: string) => void) {
    this.#api = api;
    this.#resource = api.registry.kind('batch', 'v1', 'jobs');
    const { prefix } = api.registry.kind('batch', 'v1', 'cronjobs');
    const note = (stored: StoredObject, isThere: boolean) => {
      const owner = ownerOf(stored);
      if (!owner) return;
      this.#set(owner.uid, stored.key, isThere);
      changed(`${prefix}/${owner.namespace}/${owner.name}`);
    };
    this.#follower = new Reflector(api.store, this.#resource.prefix, {
      add: (stored) => note(stored, true),
      remove: (stored) => note(stored, false),
      clear: () => this.#byOwner.clear(),
    });
  }

  /** Resolves once the initial list is complete. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  start(): Promise<void> {
    this.#ready = this.#follower.warmUp();
    return this.#ready;
  }

  reset(): void {
    this.#follower.reset();
  }

  close(): void {
    this.#follower.close();
  }

  of(owner: string): Job[] {
    const jobs: Job[] = [];
    for (const key of this.#byOwner.get(owner) ?? []) {
      const stored = this.#api.store.get(key);
      if (stored) jobs.push(decodeStored(this.#resource, stored) as Job);
    }
    return jobs;
  }

  #set(owner: string, key: string, isThere: boolean): void {
    const keys = this.#byOwner.get(owner);
    if (isThere) {
      if (keys) keys.add(key);
      else this.#byOwner.set(owner, new Set([key]));
    } else if (keys?.delete(key) && keys.size === 0) {
      this.#byOwner.delete(owner);
    }
  }
}

function ownerOf({ json }: StoredObject): { uid: string; name: string; namespace: string } | undefined {
  if (!json.includes(controlled)) return undefined;
  const { metadata } = JSON.parse(json.toString()) as Controlled;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return owner?.kind === 'CronJob' ? { ...owner, namespace: metadata.namespace } : undefined;
}
