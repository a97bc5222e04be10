// validatingadmissionpolicystatus-controller: type-checks the expressions of ValidatingAdmissionPolicies.
import { TypeChecker } from '../../admission/policies/type-checking.ts';
import type { ValidatingAdmissionPolicy } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import type { Api } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import { apply } from '../../registry/verbs/apply.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';

/** The field manager of upstream's controller. */
const manager = 'validatingadmissionpolicy-status';

const prefix = 'validatingadmissionpolicies';

/** Writes warnings to status.typeChecking, once per generation. */
export class ValidatingAdmissionPolicyStatusController implements Controller {
  readonly #api: Api;
  readonly #follower: Reflector;
  readonly #checker: CelOnDemand<TypeChecker>;
  readonly #outdated: WorkQueue;

  constructor({ api, newQueue }: ControllerContext) {
    this.#api = api;
    this.#outdated = newQueue({ name: manager, reconcile: (key) => this.#look(key) });
    this.#checker = new CelOnDemand((cel) => new TypeChecker(cel, api));
    this.#follower = new Reflector(api.store, prefix, {
      add: (stored) => {
        if (isOutdated(stored)) this.#outdated.add(stored.key);
      },
      remove: () => {},
      clear: () => this.#outdated.clear(),
    });
  }

  start(): void {
    this.#follower.sync();
  }

  reset(): void {
    this.#follower.reset();
    this.#follower.sync();
  }

  async close(): Promise<void> {
    this.#follower.close();
    await this.#outdated.close();
  }

  async #look(key: string): Promise<void> {
    const stored = this.#api.store.get(key);
    if (!stored || !isOutdated(stored)) return;
    await this.#checker.load();
    const { metadata, spec } = JSON.parse(stored.json.toString()) as ValidatingAdmissionPolicy;
    const { dialect, registry } = this.#api;
    const resource = registry.kind(dialect.groupName('admissionregistration'), 'v1', prefix);
    const expressionWarnings = await this.#checker.value.warnings(spec);
    // The uid is a precondition: a deleted policy is not created again.
    const value: JsonObject = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name: metadata.name!, uid: metadata.uid! },
      status: {
        observedGeneration: metadata.generation ?? 0,
        typeChecking:
          expressionWarnings.length > 0 ? { expressionWarnings: expressionWarnings as never } : {},
      },
    };
    const target = { resource, namespace: '', name: metadata.name!, subresource: 'status' };
    const options = { ...plainWrite, manager, force: true };
    try {
      await apply(this.#api, target, { value, repeated: [] }, options, []);
    } catch (error) {
      // The policy was deleted or replaced; a new one triggers its own reconciliation.
      if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error;
    }
  }
}

function isOutdated({ json }: StoredObject): boolean {
  try {
    const { metadata, status } = JSON.parse(json.toString()) as ValidatingAdmissionPolicy;
    return (metadata.generation ?? 0) > (status?.observedGeneration ?? 0);
  } catch {
    return false;
  }
}
