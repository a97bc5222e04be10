// resourceclaim-controller: generates ResourceClaims from the templates of pods, reserves claims for pods that were assigned to a node
// without the scheduler, and releases the claims of pods that will not run any more.
import type { Pod } from '../../apis/core/pod.ts';
import { type PodResourceClaim, podResourceClaims } from '../../apis/core/pod-resource-claims.ts';
import { isPodDone, isReservedFor, owningPod, podReference } from '../../apis/resource/claim-consumers.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import type { ResourceClaimTemplate } from '../../apis/resource/resourceclaimtemplate.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { notFound } from '../../errors/catalogue.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { planRelease } from './claim-release.ts';
import { generatedClaim } from './generated-claim.ts';

const core = { group: '', version: 'v1' } as const;
const resource = { group: 'resource', version: 'v1beta1' } as const;
/** As upstream's event source spells it. */
const component = 'resource_claim';
/** The field manager of `status.resourceClaimStatuses`. */
const statusManager = 'ResourceClaimController';
const workers = 10;

/** Keys of the queue. */
const claimPrefix = 'claim:';
const podPrefix = 'pod:';
/** Indexes: pods by the templates that they use, claims by the UID of the pod that owns them. */
const templateIndex = 'template';
const ownerIndex = 'owner';

export class ResourceClaimController implements Controller {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<ResourceClaim>;
  readonly #templates: Informer<ResourceClaimTemplate>;
  readonly #queue: WorkQueue;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext) {
    const { informers, newQueue } = context;
    this.#context = context;
    this.#queue = newQueue({ name: 'resource_claim', workers, reconcile: (key) => this.#reconcile(key) });
    this.#pods = informers.informer<Pod>(
      { ...core, resource: 'pods' },
      {
        onAdd: (pod) => this.#onPod(pod),
        onUpdate: (_old, pod) => this.#onPod(pod),
        onDelete: (pod) => this.#enqueueClaims(decodeUser(pod)),
        onReset: () => this.#queue.clear(),
      },
      { [templateIndex]: usedTemplates },
    );
    this.#claims = informers.informer<ResourceClaim>(
      { ...resource, resource: 'resourceclaims' },
      {
        onAdd: ({ key }) => this.#queue.add(claimPrefix + key),
        onUpdate: (_old, { key }) => this.#queue.add(claimPrefix + key),
      },
      { [ownerIndex]: ownerUids },
    );
    this.#templates = informers.informer<ResourceClaimTemplate>(
      { ...resource, resource: 'resourceclaimtemplates' },
      { onAdd: ({ key }) => this.#enqueueUsers(key) },
    );
  }

  start(): void {
    for (const informer of this.#informers()) informer.start();
  }

  reset(): void {
    for (const informer of this.#informers()) informer.reset();
    this.start();
  }

  async close(): Promise<void> {
    for (const informer of this.#informers()) informer.close();
    this.#stopped.abort();
    await this.#queue.close();
  }

  #informers(): Pick<Informer<unknown>, 'start' | 'reset' | 'close'>[] {
    return [this.#claims, this.#pods, this.#templates];
  }

  #onPod(object: InformerObject<Pod>): void {
    const pod = decodeUser(object);
    if (!pod) return;
    if (isPodDone(pod)) this.#enqueueClaims(pod);
    else if (pod.metadata.deletionTimestamp === undefined) this.#queue.add(podPrefix + object.key);
  }

  #enqueueClaims(pod: Pod | undefined): void {
    for (const { claimName } of pod ? podResourceClaims(pod) : []) {
      if (claimName !== undefined) this.#queue.add(`${claimPrefix}${pod!.metadata.namespace}/${claimName}`);
    }
  }

  #enqueueUsers(template: string): void {
    for (const key of this.#pods.keysByIndex(templateIndex, template)) this.#queue.add(podPrefix + key);
  }

  #reconcile(key: string): Promise<void> {
    // What is deleted meanwhile needs nothing more.
    return ignoreNotFound(
      key.startsWith(claimPrefix)
        ? this.#reconcileClaim(key.slice(claimPrefix.length))
        : this.#reconcilePod(key.slice(podPrefix.length)),
    );
  }

  async #reconcilePod(key: string): Promise<void> {
    const pod = this.#pods.getByKey(key)?.tryDecodeLazily();
    if (!pod || pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return;
    const generated = new Map<string, string>();
    for (const claim of podResourceClaims(pod)) {
      try {
        const name = await this.#ensureClaim(pod, claim);
        if (name !== undefined) generated.set(claim.entry, name);
      } catch (error) {
        this.#warn(pod, `PodResourceClaim ${claim.entry}: ${(error as Error).message}`);
        throw error;
      }
    }
    if (generated.size > 0) await this.#recordGenerated(pod, generated);
    if (pod.spec.nodeName) await this.#reserveClaims(pod);
  }

  /**
   * Generates the claim of an entry, and returns its name. Returns undefined if the status of the pod has a name already: as
   * upstream's, the controller does not replace a claim that was deleted.
   */
  async #ensureClaim(pod: Pod, { entry, templateName, claimName, isNeeded }: PodResourceClaim) {
    if (!isNeeded || templateName === undefined || claimName !== undefined) return undefined;
    // A claim without an entry in the status was created before the controller was interrupted.
    return this.#findGenerated(pod, entry) ?? (await this.#generate(pod, entry, templateName));
  }

  #findGenerated({ metadata }: Pod, entry: string): string | undefined {
    const { podClaimName } = this.#context.dialect.annotations;
    return this.#claims
      .byIndex(ownerIndex, metadata.uid!)
      .flatMap((object) => object.tryDecodeLazily() ?? [])
      .find(
        (claim) =>
          claim.metadata.annotations?.[podClaimName] === entry &&
          claim.metadata.deletionTimestamp === undefined,
      )?.metadata.name;
  }

  async #generate(pod: Pod, entry: string, templateName: string): Promise<string> {
    const { client, dialect, identity } = this.#context;
    const template = this.#templates.get(pod.metadata.namespace ?? '', templateName)?.tryDecodeLazily();
    if (!template) {
      const subject = { group: dialect.groupName('resource'), resource: 'resourceclaimtemplate' };
      const { message } = notFound(subject, templateName);
      throw new Error(`resource claim template ${JSON.stringify(templateName)}: ${message}`);
    }
    const manifest = generatedClaim(pod, entry, template, dialect);
    try {
      const { metadata } = await client.create(manifest, identity, this.#claims);
      return metadata.name!;
    } catch (error) {
      throw new Error(`create ResourceClaim : ${(error as Error).message}`);
    }
  }

  /** All generated claims are applied, because an applied list replaces the earlier one. */
  async #recordGenerated(pod: Pod, generated: ReadonlyMap<string, string>): Promise<void> {
    const { client, identity } = this.#context;
    const { name, namespace, uid } = pod.metadata;
    const resourceClaimStatuses = podResourceClaims(pod).flatMap(({ entry, templateName, claimName }) => {
      const resourceClaimName = generated.get(entry) ?? claimName;
      return templateName === undefined || resourceClaimName === undefined
        ? []
        : { name: entry, resourceClaimName };
    });
    const configuration = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: name!, namespace: namespace!, uid: uid! },
      status: { resourceClaimStatuses },
    };
    const options = { ...identity, manager: statusManager, subresource: 'status' };
    await client.apply(this.#pods, configuration, options);
  }

  /** The scheduler reserves the claims of the pods that it assigns. */
  async #reserveClaims(pod: Pod): Promise<void> {
    const { client, identity } = this.#context;
    const { metadata } = pod;
    for (const { claimName } of podResourceClaims(pod)) {
      const claim = claimName === undefined ? undefined : this.#claim(metadata.namespace, claimName);
      if (!claim?.status?.allocation || isReservedFor(claim, metadata.uid)) continue;
      const reserve = (latest: ResourceClaim) => {
        latest.metadata.uid = claim.metadata.uid!;
        latest.status.reservedFor = [...(latest.status.reservedFor ?? []), podReference(metadata)];
      };
      const options = { ...identity, subresource: 'status' };
      await client.mutate(this.#claims, `${metadata.namespace}/${claimName}`, reserve, options);
    }
  }

  async #reconcileClaim(key: string): Promise<void> {
    const claim = this.#claims.getByKey(key)?.tryDecodeLazily();
    if (!claim) return;
    const { client, dialect, identity } = this.#context;
    const { namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
    const finalizer = dialect.finalizers.allocatedClaim;
    const release = planRelease(claim, finalizer, (name) =>
      this.#pods.get(namespace, name)?.tryDecodeLazily(),
    );
    const { reservedFor, deallocates } = release;
    if (reservedFor || deallocates) {
      const changeStatus = (latest: ResourceClaim) => {
        // Fails with a conflict if the claim was changed, such as by a new reservation.
        latest.metadata.resourceVersion = resourceVersion;
        if (reservedFor) latest.status.reservedFor = [...reservedFor];
        if (deallocates) delete latest.status.allocation;
      };
      await client.mutate(this.#claims, key, changeStatus, { ...identity, subresource: 'status' });
    }
    if (release.removesFinalizer) {
      const removeFinalizer = (latest: ResourceClaim) => {
        latest.metadata.uid = uid;
        if (latest.status?.allocation) return;
        latest.metadata.finalizers = (latest.metadata.finalizers ?? []).filter((each) => each !== finalizer);
      };
      await client.mutate(this.#claims, key, removeFinalizer, identity);
    }
    if (release.deletesClaim) {
      const caller = { user: identity.user, signal: this.#stopped.signal };
      await client.deleteByKey(this.#claims, key, { preconditions: { uid } }, caller);
    }
  }

  #claim(namespace: string | undefined, name: string): ResourceClaim | undefined {
    return this.#claims.get(namespace ?? '', name)?.tryDecodeLazily();
  }

  #warn({ metadata }: Pod, message: string): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    this.#context.events.record({
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        name: name!,
        namespace: namespace!,
        uid: uid!,
        resourceVersion: resourceVersion!,
      },
      type: 'Warning',
      reason: 'FailedResourceClaimCreation',
      message,
      component,
    });
  }
}

/** The pod, if it uses ResourceClaims. Most pods do not, and need not be parsed. */
const decodeUser = (object: InformerObject<Pod>): Pod | undefined =>
  object.json.includes('"resourceClaims":') ? object.tryDecodeLazily() : undefined;

function usedTemplates(object: InformerObject<Pod>): string[] {
  const pod = decodeUser(object);
  if (!pod) return [];
  return podResourceClaims(pod).flatMap(({ templateName }) =>
    templateName === undefined ? [] : `${pod.metadata.namespace}/${templateName}`,
  );
}

function ownerUids(object: InformerObject<ResourceClaim>): string[] {
  const claim = object.tryDecodeLazily();
  const owner = claim && owningPod(claim);
  return owner ? [owner.uid] : [];
}
