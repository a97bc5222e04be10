// Admission plugin PodSecurity: enforces the Pod Security Standards that the labels of a namespace select.
import type { Pod } from '../../../apis/core/pod.ts';
import { invalidObject } from '../../../errors/catalogue.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { Api } from '../../../registry/api.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin, PluginDependencies } from '../../plugin.ts';
import { Evaluation } from './evaluation.ts';
import { warningsOfExisting } from './existing-pods.ts';
import { LabelledNamespaces } from './labelled-namespaces.ts';
import type { PodParts } from './pod-parts.ts';
import { hasOtherContainers, podIn } from './pods-in.ts';
import {
  isFreePolicy,
  isNoStricter,
  labelErrors,
  type Policy,
  policyOf,
  type Standard,
  shown,
} from './policy.ts';

const changingContainers = ['ephemeralcontainers', 'resize'];

export class PodSecurity implements Plugin<ApiObject> {
  readonly name = 'PodSecurity';
  readonly #api: Api;
  readonly #prefix: string;
  readonly #namespaces: LabelledNamespaces;
  readonly #evaluation: Evaluation;

  constructor({ api, features, metrics }: Pick<PluginDependencies, 'api' | 'features' | 'metrics'>) {
    this.#api = api;
    this.#prefix = api.dialect.labels.podSecurityPrefix;
    this.#namespaces = new LabelledNamespaces(api, this.#prefix);
    this.#evaluation = new Evaluation(api.dialect, features, metrics);
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    if (resource.prefix === 'pods') {
      return subresource === '' || (operation === 'UPDATE' && changingContainers.includes(subresource));
    }
    if (subresource !== '') return false;
    if (resource.prefix === 'namespaces') return true;
    // Workload resources only cause warnings and audit annotations, so they need a namespace with labels.
    return podIn(resource) !== undefined && this.#namespaces.any;
  }

  validate(attributes: Attributes<ApiObject>): void | Promise<void> {
    const { target, object } = attributes;
    if (target.resource.prefix === 'namespaces') return this.#validateNamespace(attributes);
    const policy = this.#namespaces.policy(attributes.namespace);
    if (!isForPod(attributes)) return this.#report(attributes, policy, podIn(target.resource)!(object), true);
    const { object: pod, old } = attributes;
    if (!old || isFreePolicy(policy) || hasOtherContainers(pod, old)) this.#validatePod(attributes, policy);
  }

  reset(): void {
    this.#namespaces.reset();
  }

  #validatePod(attributes: Attributes<Pod>, policy: Policy): void {
    const { metadata, spec } = attributes.object;
    const pod = { annotations: metadata.annotations ?? {}, spec };
    attributes.annotate(`${this.#prefix}enforce-policy`, shown(policy.enforce));
    const problem = this.#evaluation.evaluate(attributes, 'enforce', policy.enforce, pod);
    this.#report(attributes, policy, pod, problem === undefined);
    if (problem !== undefined) throw newForbidden(attributes, `violates ${problem}`);
  }

  /** Adds audit annotations, and warnings unless the request is rejected anyway. */
  #report(
    attributes: Attributes,
    { audit, warn }: Policy,
    pod: PodParts | undefined,
    isLetThrough: boolean,
  ): void {
    if (!pod) return;
    const noted = this.#evaluation.evaluate(attributes, 'audit', audit, pod);
    if (noted !== undefined) attributes.annotate(`${this.#prefix}audit-violations`, `would violate ${noted}`);
    if (!isLetThrough) return;
    const told = this.#evaluation.evaluate(attributes, 'warn', warn, pod);
    if (told !== undefined) say(attributes, `would violate ${told}`);
  }

  #validateNamespace(attributes: Attributes<ApiObject>): void | Promise<void> {
    const labels = labelsOf(attributes.object);
    const before = attributes.old && labelsOf(attributes.old);
    const errors = labelErrors(labels, this.#prefix);
    if (errors.length > 0) {
      // What was wrong before does not keep anything else from being changed.
      if (before && labelErrors(before, this.#prefix).length > 0) return;
      throw invalidObject({ group: '', kind: 'Namespace' }, attributes.name, errors);
    }
    if (!before) return;
    const asked = policyOf(labels, this.#prefix).enforce;
    if (isNoStricter(asked, policyOf(before, this.#prefix).enforce)) return;
    return this.#warnOfExisting(attributes, asked);
  }

  async #warnOfExisting(attributes: Attributes, asked: Standard): Promise<void> {
    const violationsOf = (pod: Pod) =>
      this.#evaluation.violations(asked, { annotations: pod.metadata.annotations ?? {}, spec: pod.spec });
    const warnings = await warningsOfExisting(this.#api, attributes.name, asked, violationsOf);
    for (const warning of warnings) say(attributes, warning);
  }
}

/** Pods and their subresources. */
const isForPod = (attributes: Attributes): attributes is Attributes<Pod> =>
  attributes.target.resource.prefix === 'pods';

const labelsOf = ({ metadata }: ApiObject): ReadonlyMap<string, string> =>
  new Map(Object.entries(metadata.labels ?? {}));

function say({ warnings }: Attributes, warning: string): void {
  if (!warnings.includes(warning)) warnings.push(warning);
}
