// Admission plugin PodTopologyLabels: copies the topology labels of the node to pods that are bound to it.
import type { Binding } from '../../apis/core/binding.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { Features } from '../../kind/features/features.ts';
import { tryDecodeLazily } from '../../kind/storage/codec.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { type Attributes, isRequestFor } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

export class PodTopologyLabels implements Plugin<Pod | Binding> {
  readonly name = 'PodTopologyLabels';
  readonly #isEnabled: boolean;

  constructor(features: Features) {
    this.#isEnabled = features.enabled('PodTopologyLabelsAdmission');
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (!this.#isEnabled || resource.prefix !== 'pods' || operation !== 'CREATE') return false;
    return subresource === '' || subresource === 'binding';
  }

  admit(attributes: Attributes<Pod | Binding>): void {
    const { api } = attributes;
    if (isRequestFor<Pod>(attributes, 'pods')) {
      const { metadata, spec } = attributes.object;
      copyLabels(api, metadata, spec.nodeName);
    } else if (isRequestFor<Binding>(attributes, 'pods', 'binding')) {
      const { metadata, target: node } = attributes.object;
      if (node.kind === 'Node') copyLabels(api, metadata, node.name);
    }
  }
}

function copyLabels(
  { registry, store, dialect }: Attributes['api'],
  metadata: ObjectMetadata,
  node = '',
): void {
  if (node === '') return;
  const nodes = registry.kind('', 'v1', 'nodes');
  const stored = store.get(nodes.key('', node));
  const nodeLabels = (stored && tryDecodeLazily(nodes, stored)?.metadata.labels) ?? {};
  const names = dialect.labels.topology.filter((name) => Object.hasOwn(nodeLabels, name));
  if (names.length === 0) return;
  metadata.labels = Object.assign(nullPrototypeObject<string>(), metadata.labels);
  for (const name of names) metadata.labels[name] = nodeLabels[name]!;
}
