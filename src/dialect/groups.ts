/** Groups whose names carry the service's domain, by their id: the part in front of it. */
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

/** Groups with one name in every dialect. The core group is the empty string. */
const plainGroups = ['', 'apps', 'autoscaling', 'batch', 'policy'] as const;

/** @public */
export type GroupId = (typeof domainGroups)[number] | (typeof plainGroups)[number];

/** The names of all groups, both ways. */
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

  /** A group of custom resources has no id and goes by its name. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name);
  }
}
