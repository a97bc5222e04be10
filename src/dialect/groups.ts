// Names of the built-in API groups. A definition names its group by an id that is the same in every dialect.

/** Ids of groups whose name ends with the domain of the service: `events` is `events.orch.io`. */
const domainGroups = [
  'admission',
  'admissionregistration',
  'apidiscovery',
  'apiextensions',
  'apiregistration',
  'audit',
  'authentication',
  'authorization',
  'certificates',
  'coordination',
  'custom.metrics',
  'discovery',
  'events',
  'external.metrics',
  'flowcontrol.apiserver',
  'imagepolicy',
  'internal.apiserver',
  'meta',
  'metrics',
  'networking',
  'node',
  'rbac.authorization',
  'resource',
  'scheduling',
  'storage',
  'storagemigration',
] as const;

/** Ids of groups with the same name in every dialect. The core group is the empty string. */
const plainGroups = ['', 'apps', 'autoscaling', 'batch', 'policy'] as const;

/** @public */
export type GroupId = (typeof domainGroups)[number] | (typeof plainGroups)[number];

export class GroupNames {
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  constructor(domain: string) {
    for (const id of plainGroups) this.#add(id, id);
    for (const id of domainGroups) this.#add(id, `${id}.${domain}`);
  }

  #add(id: string, name: string): void {
    this.#names.set(id, name);
    this.#ids.set(name, id);
  }

  /** A group of custom resources has no id; its name is returned unchanged. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name);
  }
}
