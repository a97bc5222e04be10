// Node: the resource definition, with its defaults, the strategy that runs on writes and the status subresource.
// Dialect: the names of Kubernetes' API or of Orch's own; `title` is the name of the service.

import type { KindContext } from '../../kind/context.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { nodeConnections } from './connections.ts';
import { Node, type NodeSpec } from './node.ts';
import { nodeTable } from './node-table.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

export const nodes = (context: KindContext) => {
  const validateUpdate = (object: Node, old: Node) => validateNodeUpdate(object, old, context);
  return resource<Node>({
    group: '',
    version: 'v1',
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    // The old name of nodes, which upstream keeps in etcd's keys.
    storagePrefix: 'minions',
    schema: Node,
    table: nodeTable(context.dialect),
    selectableFieldNames: ['spec.unschedulable'],
    selectableFields: ({ spec }) => ({ 'spec.unschedulable': String(spec.unschedulable ?? false) }),
    applyDefaults({ spec, status }) {
      syncPodCIDRs(spec);
      if (!status.allocatable && status.capacity) status.allocatable = { ...status.capacity };
    },
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      // Dynamic kubelet configuration no longer exists; old nodes keep the fields.
      prepareForCreate({ spec, status }) {
        delete spec.configSource;
        delete status.config;
      },
      validate: (object) => validateNode(object, context),
      warningsOnCreate: (object) => nodeWarnings(object, context),
      resetFields: ['status'],
      prepareForUpdate(object, old) {
        object.status = old.status;
        if (!old.spec.configSource) delete object.spec.configSource;
      },
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
        ...validateNode(object, context),
        ...validateUpdate(object, old),
      ],
      warningsOnUpdate: (object) => nodeWarnings(object, context),
    },
    subresources: {
      ...nodeConnections,
      status: {
        verbs: ['get', 'patch', 'update'],
        rules: {
          resetFields: ['spec'],
          prepareForUpdate(object, old) {
            object.spec = old.spec;
            if (!old.status.config) delete object.status.config;
          },
          validateUpdate,
        },
      },
    },
  });
};

/** `podCIDR` predates `podCIDRs` and wins if they differ; otherwise it is set to podCIDRs[0]. */
function syncPodCIDRs(spec: NodeSpec): void {
  if (spec.podCIDR && spec.podCIDR !== spec.podCIDRs?.[0]) spec.podCIDRs = [spec.podCIDR];
  else if (spec.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0];
}

function nodeWarnings({ spec }: Node, { dialect }: KindContext): string[] {
  const messages: string[] = [];
  if (spec.configSource) {
    messages.push('spec.configSource: the feature is no longer supported');
  }
  if (spec.externalID) {
    messages.push(`spec.externalID: this field is deprecated, and is unused by ${dialect.title}`);
  }
  return messages;
}
