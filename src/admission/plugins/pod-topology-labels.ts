import type { Binding } from '../../apis/core/binding.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { userKeyed } from '../../codec/json/json-value.ts';
import type { ObjectMeta } from '../../kind/api-object.ts';
import type { Features } from '../../kind/features/features.ts';
import { tryGlanceAt } from '../../kind/storage/codec.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

/** Tells a pod in which zone and region its node is. */
export class PodTopologyLabels implements Plugin {
  readonly name = 'PodTopologyLabels';
  readonly #isOn: boolean;

  constructor(features: Features) {
    this.#isOn = features.enabled('PodTopologyLabelsAdmission');
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (!this.#isOn || resource.prefix !== 'pods' || operation !== 'CREATE') return false;
    return subresource === '' || subresource === 'binding';
  }

  admit({ api, object, target }: Attributes): void {
    if (target.subresource === 'binding') {
      const { metadata, target: node } = object as Binding;
      if (node.kind === 'Node') label(api, metadata, node.name);
    } else {
      const { metadata, spec } = object as Pod;
      label(api, metadata, spec.nodeName);
    }
  }
}

function label({ registry, store, dialect }: Attributes['api'], metadata: ObjectMeta, node = ''): void {
  if (node === '') return;
  const nodes = registry.kind('', 'v1', 'nodes');
  const stored = store.get(nodes.key('', node));
  const of = (stored && tryGlanceAt(nodes, stored)?.metadata.labels) ?? {};
  const labels = dialect.labels.topology.filter((name) => Object.hasOwn(of, name));
  if (labels.length === 0) return;
  metadata.labels = Object.assign(userKeyed<string>(), metadata.labels);
  for (const name of labels) metadata.labels[name] = of[name]!;
}
