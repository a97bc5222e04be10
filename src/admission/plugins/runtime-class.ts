// Admission plugin RuntimeClass: sets overhead, node selector and tolerations of a pod from its RuntimeClass.
import { mergeTolerations } from '../../apis/core/merged-tolerations.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { PodSpec } from '../../apis/core/pod-spec.ts';
import { mustParseQuantity } from '../../apis/core/resource-list.ts';
import type { RuntimeClass as Class } from '../../apis/node/runtimeclass.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { Attributes } from '../attributes.ts';
import { ClassCache } from '../class-cache.ts';
import { newForbidden } from '../new-forbidden.ts';
import type { Plugin } from '../plugin.ts';

type Overhead = NonNullable<PodSpec['overhead']>;

export class RuntimeClass implements Plugin<Pod> {
  readonly name = 'RuntimeClass';
  readonly #classes: ClassCache<Class>;

  constructor(api: StorageContext) {
    this.#classes = new ClassCache(api, { group: 'node', plural: 'runtimeclasses' });
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'pods' && subresource === '' && operation === 'CREATE';
  }

  admit(attributes: Attributes<Pod>): void {
    const { spec } = attributes.object;
    const runtimeClass = this.#classOf(attributes, spec);
    if (!runtimeClass) return;
    const { overhead, scheduling } = runtimeClass;
    if (overhead) setOverhead(attributes, spec, overhead.podFixed);
    if (scheduling?.nodeSelector) mergeNodeSelector(attributes, spec, scheduling.nodeSelector);
    if (scheduling?.tolerations) {
      spec.tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations);
    }
  }

  validate(attributes: Attributes<Pod>): void {
    const { spec } = attributes.object;
    if (spec.overhead === undefined || this.#classOf(attributes, spec)?.overhead) return;
    throw newForbidden(
      attributes,
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  }

  reset(): void {
    this.#classes.reset();
  }

  /** Undefined for a pod that names no RuntimeClass. */
  #classOf(attributes: Attributes, { runtimeClassName: name }: PodSpec): Class | undefined {
    if (name === undefined) return undefined;
    // The error of upstream's lister, which is not a Status: the client gets 500 without a reason.
    if (name === '') throw new ApiError(500, '', 'resource name may not be empty');
    const runtimeClass = this.#classes.get(name);
    if (runtimeClass) return runtimeClass;
    throw newForbidden(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  }
}

/** Sets the overhead of the class. A client may send the same overhead, but no other. */
function setOverhead(attributes: Attributes, spec: PodSpec, podFixed: Overhead | undefined): void {
  const sent = spec.overhead ?? {};
  if (Object.keys(sent).length > 0 && !isSameOverhead(sent, podFixed ?? {})) {
    throw newForbidden(
      attributes,
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
  }
  if (podFixed) spec.overhead = Object.assign(nullPrototypeObject<string>(), podFixed);
}

function isSameOverhead(a: Overhead, b: Overhead): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) &&
        compareQuantities(mustParseQuantity(a[name]!), mustParseQuantity(b[name]!)) === 0,
    )
  );
}

function mergeNodeSelector(
  attributes: Attributes,
  spec: PodSpec,
  required: Readonly<Record<string, string>>,
): void {
  const selector = Object.assign(nullPrototypeObject<string>(), spec.nodeSelector);
  for (const [label, value] of Object.entries(required)) {
    const podValue = selector[label];
    if (podValue !== undefined && podValue !== value) {
      throw newForbidden(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${label}] = ${value}; pod.spec.nodeSelector[${label}] = ${podValue}`,
      );
    }
    selector[label] = value;
  }
  spec.nodeSelector = selector;
}
