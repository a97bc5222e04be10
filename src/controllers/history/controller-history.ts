// The ControllerRevisions of one kind of owner: creates, adopts, renumbers and deletes them (upstream: pkg/controller/history).
import type { ControllerRevision } from '../../apis/apps/controllerrevision.ts';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { controllerOf, controllerOfStored } from '../workload/controller-reference.ts';
import { templateHash } from '../workload/template-hash.ts';
import { compareRevisions, dataOfTemplate, hasTemplate } from './revision-data.ts';

const controllerRevisions = { group: 'apps', version: 'v1', resource: 'controllerrevisions' } as const;
/** The longest part of the owner's name in the name of a revision. */
const maxPrefixLength = 223;

/** What a revision is derived from. */
export interface RevisionOwner {
  readonly metadata: ObjectMetadata;
  readonly selector: LabelSelector | undefined;
  readonly template: PodTemplateSpec;
  readonly collisionCount: number | undefined;
  /** The reference of its revisions. */
  readonly reference: OwnerReference;
  /** Reads its latest state: an owner that is being deleted must not adopt. */
  mayAdopt(): Promise<boolean>;
  /** Writes the collisionCount of its status. */
  setCollisionCount(collisionCount: number): Promise<void>;
}

export interface ControllerHistoryOptions {
  readonly context: ControllerContext;
  readonly ownerKind: string;
  /** The label with the hash of the template. */
  readonly hashLabel: string;
  readonly signal: AbortSignal;
  /** A revision of this owner was deleted. */
  onDelete(ownerKey: string): void;
}

export interface History {
  /** All revisions, oldest first. */
  readonly revisions: readonly ControllerRevision[];
  /** The revision of the owner's template. */
  readonly update: ControllerRevision;
}

export class ControllerHistory {
  readonly #options: ControllerHistoryOptions;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #metadata: Lister<ApiObject>;

  constructor(options: ControllerHistoryOptions) {
    const { informers } = options.context;
    this.#options = options;
    this.#revisions = informers.informer<ControllerRevision>(
      controllerRevisions,
      { onDelete: (revision) => this.#onDelete(revision) },
      {
        owner: (revision) => {
          const controller = controllerOfStored(revision);
          if (!controller) return [orphansOf(revision.namespace)];
          return controller.kind === options.ownerKind ? [controller.uid] : [];
        },
      },
    );
    this.#metadata = informers.lister<ApiObject>(controllerRevisions);
  }

  start(): void {
    this.#revisions.start();
  }

  reset(): void {
    this.#revisions.reset();
  }

  close(): void {
    this.#revisions.close();
  }

  /** Adopts matching orphans, and creates or renumbers the revision of the owner's template. */
  async sync(owner: RevisionOwner): Promise<History> {
    await this.#revisions.hasSynced;
    await this.#adoptOrphans(owner);
    const revisions = this.list(owner.metadata.uid ?? '');
    const latest = revisions.at(-1);
    const equal = revisions.findLast((revision) => hasTemplate(revision, owner.template));
    const nextNumber = (latest?.revision ?? 0) + 1;
    if (equal && equal === latest) return { revisions, update: equal };
    const update = equal ? await this.#renumber(equal, nextNumber) : await this.#create(owner, nextNumber);
    const others = revisions.filter(({ metadata }) => metadata.name !== update.metadata.name);
    return { revisions: [...others, update], update };
  }

  /** The revisions of an owner, oldest first. */
  list(ownerUid: string): ControllerRevision[] {
    return this.#revisions
      .byIndex('owner', ownerUid)
      .flatMap((revision) => revision.tryDecodeLazily() ?? [])
      .sort(compareRevisions);
  }

  async delete(revisions: readonly ControllerRevision[]): Promise<void> {
    const { context, signal } = this.#options;
    const caller = { user: context.identity.user, signal };
    for (const { metadata } of revisions) {
      const { namespace, name, uid = '' } = metadata;
      const preconditions = { uid };
      await context.client.deleteByKey(this.#revisions, `${namespace}/${name}`, { preconditions }, caller);
    }
  }

  #onDelete(revision: InformerObject<ControllerRevision>): void {
    const controller = controllerOfStored(revision);
    if (controller?.kind === this.#options.ownerKind)
      this.#options.onDelete(`${revision.namespace}/${controller.name}`);
  }

  async #adoptOrphans({ metadata, selector, reference, mayAdopt }: RevisionOwner): Promise<void> {
    if (!selector) return;
    const orphans = this.#revisions
      .byIndex('owner', orphansOf(metadata.namespace ?? ''))
      .filter(({ labels }) => labelSelectorMatches(selector, Object.fromEntries(labels)));
    if (orphans.length === 0 || !(await mayAdopt())) return;
    const { client, identity } = this.#options.context;
    for (const orphan of orphans) {
      const { uid = '' } = orphan.metadata() ?? {};
      const adopt = (latest: Pick<ObjectMetadata, 'ownerReferences'>) => {
        if (!controllerOf(latest)) latest.ownerReferences = [...(latest.ownerReferences ?? []), reference];
      };
      await client.mutateMetadata(this.#metadata, orphan.key, uid, adopt, identity);
    }
  }

  async #create(owner: RevisionOwner, revision: number): Promise<ControllerRevision> {
    const { context, hashLabel } = this.#options;
    const { metadata, template, collisionCount, reference } = owner;
    const { name: ownerName = '', namespace = '', annotations } = metadata;
    const hash = templateHash(template, collisionCount || undefined);
    const name = `${ownerName.slice(0, maxPrefixLength)}-${hash}`;
    const { apiVersion, kind } = this.#revisions.resource;
    const labels = { ...template.metadata.labels, [hashLabel]: hash };
    const manifest = {
      apiVersion,
      kind,
      metadata: {
        name,
        namespace,
        labels,
        ...(annotations && { annotations }),
        ownerReferences: [reference],
      },
      data: dataOfTemplate(template),
      revision,
    };
    try {
      return (await context.client.create(manifest, context.identity)) as unknown as ControllerRevision;
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
      const existing = (await context.client.get({ apiVersion, kind, name, namespace })) as unknown;
      const found = existing as ControllerRevision;
      const isOwned = controllerOf(found.metadata)?.uid === metadata.uid;
      if (isOwned && hasTemplate(found, template)) return found;
      // The next attempt uses another hash.
      await owner.setCollisionCount((collisionCount ?? 0) + 1);
      throw error;
    }
  }

  async #renumber(old: ControllerRevision, revision: number): Promise<ControllerRevision> {
    const { client, identity } = this.#options.context;
    const { namespace, name, uid = '' } = old.metadata;
    const change = (latest: ControllerRevision) => {
      latest.revision = revision;
      latest.metadata.uid = uid;
    };
    await client.mutate(this.#revisions, `${namespace}/${name}`, change, identity);
    return { ...old, revision };
  }
}

/** The index value of the revisions of a namespace that have no controller. */
const orphansOf = (namespace: string) => `orphans of ${namespace}`;
