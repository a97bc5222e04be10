// validatingadmissionpolicystatus-controller: type-checks the expressions of ValidatingAdmissionPolicies.
import { TypeChecker } from '../../admission/policies/type-checking.ts';
import type { ValidatingAdmissionPolicy } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';

/** The field manager of upstream's controller. */
const manager = 'validatingadmissionpolicy-status';

const policies = {
  group: 'admissionregistration',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
} as const;

/** Writes warnings to status.typeChecking, once per generation. */
export class ValidatingAdmissionPolicyStatusController implements Controller {
  readonly #client: Client;
  readonly #informer: Informer<ValidatingAdmissionPolicy>;
  readonly #checker: CelOnDemand<TypeChecker>;
  readonly #queue: WorkQueue;

  constructor({ client, informers, kinds, dialect, newQueue }: ControllerContext) {
    this.#client = client;
    this.#queue = newQueue({ name: manager, reconcile: (key) => this.#reconcile(key) });
    this.#checker = new CelOnDemand((cel) => new TypeChecker(cel, kinds, dialect));
    const enqueue = (policy: InformerObject<ValidatingAdmissionPolicy>) => {
      if (decodeIfOutdated(policy)) this.#queue.add(policy.key);
    };
    this.#informer = informers.informer<ValidatingAdmissionPolicy>(policies, {
      onAdd: enqueue,
      onUpdate: (_oldPolicy, newPolicy) => enqueue(newPolicy),
      onReset: () => this.#queue.clear(),
    });
  }

  start(): void {
    this.#informer.sync();
  }

  reset(): void {
    this.#informer.reset();
    this.#informer.sync();
  }

  async close(): Promise<void> {
    this.#informer.close();
    await this.#queue.close();
  }

  async #reconcile(key: string): Promise<void> {
    const cached = this.#informer.getByKey(key);
    const policy = cached && decodeIfOutdated(cached);
    if (!policy) return;
    await this.#checker.load();
    const { metadata, spec } = policy;
    const { apiVersion, kind } = this.#informer.resource;
    const expressionWarnings = await this.#checker.value.warnings(spec);
    const configuration: Manifest = {
      apiVersion,
      kind,
      // The uid is a precondition: a deleted policy is not created again.
      metadata: { name: metadata.name!, uid: metadata.uid! },
      status: {
        observedGeneration: metadata.generation ?? 0,
        typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {},
      },
    };
    try {
      await this.#client.apply(this.#informer, configuration, { subresource: 'status', manager });
    } catch (error) {
      // The policy was deleted or replaced; a new one triggers its own reconciliation.
      if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error;
    }
  }
}

/** Returns the policy if its status is older than its spec; undefined otherwise, or if it cannot be decoded. */
function decodeIfOutdated(
  object: InformerObject<ValidatingAdmissionPolicy>,
): ValidatingAdmissionPolicy | undefined {
  const policy = object.tryDecodeLazily();
  if (!policy) return undefined;
  const { metadata, status } = policy;
  return (metadata.generation ?? 0) > (status?.observedGeneration ?? 0) ? policy : undefined;
}
