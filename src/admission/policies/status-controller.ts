import type { ValidatingAdmissionPolicy } from '../../api/admissionregistration/validatingadmissionpolicy.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import type { ControllerName } from '../../controllers.ts';
import { ApiError } from '../../errors/status.ts';
import type { Api } from '../../resource/api.ts';
import { apply } from '../../resource/apply.ts';
import { plainWrite } from '../../resource/options/write-options.ts';
import { Follower } from '../../store/follower.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Logger } from '../../telemetry/log.ts';
import { TypeChecker } from './type-checking.ts';

/** Named as the controller that does this elsewhere: where both run, one finds done what the other has done. */
export const policyStatusController = 'validatingadmissionpolicy-status-controller' satisfies ControllerName;
const manager = 'validatingadmissionpolicy-status';

const prefix = 'validatingadmissionpolicies';

/** Says in the status of policies what is doubtful about their expressions, once for each generation. */
export class PolicyStatusController {
  readonly #api: Api;
  readonly #logger: Logger;
  readonly #follower: Follower;
  readonly #checker: CelOnDemand<TypeChecker>;
  readonly #outdated = new Set<string>();
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(api: Api, logger: Logger) {
    this.#api = api;
    this.#logger = logger;
    this.#checker = new CelOnDemand((cel) => new TypeChecker(cel, api));
    this.#follower = new Follower(api.store, prefix, {
      add: (stored) => {
        if (!isOutdated(stored)) return;
        this.#outdated.add(stored.key);
        this.#settle();
      },
      remove: ({ key }) => this.#outdated.delete(key),
      clear: () => this.#outdated.clear(),
    });
  }

  /** From now on policies are looked at, in the background. */
  start(): void {
    this.#follower.catchUp();
  }

  /** For a store that was put back to another state. */
  reset(): void {
    this.#follower.reset();
    this.#follower.catchUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  #settle(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#outdated.size > 0 && !this.#isClosed) this.#settle();
    });
  }

  async #work(): Promise<void> {
    for (const key of this.#outdated) {
      // Others go first: nobody waits for this.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#isClosed) return;
      this.#outdated.delete(key);
      try {
        await this.#look(key);
      } catch (error) {
        // Somebody was faster, or the policy is gone: of that we hear from the log.
        if (error instanceof ApiError && (error.code === 409 || error.code === 404)) continue;
        this.#logger.warn({ err: error, policy: key }, 'the expressions of a policy could not be looked at');
      }
    }
  }

  async #look(key: string): Promise<void> {
    const stored = this.#api.store.get(key);
    if (!stored || !isOutdated(stored)) return;
    await this.#checker.load();
    const { metadata, spec } = JSON.parse(stored.json.toString()) as ValidatingAdmissionPolicy;
    const { dialect, registry } = this.#api;
    const resource = registry.kind(dialect.groupName('admissionregistration'), 'v1', prefix);
    const expressionWarnings = await this.#checker.value.warnings(spec);
    // With the uid, a policy that has gone meanwhile is not made anew.
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
    await apply(this.#api, target, { value, repeated: [] }, options, []);
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
