// Admission plugin TaintNodesByCondition: taints new nodes as not ready, until the node lifecycle controller removes
// the taint.
import type { Node } from '../../apis/core/node.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

const effect = 'NoSchedule';

export class TaintNodesByCondition implements Plugin<Node> {
  readonly name = 'TaintNodesByCondition';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    // The storage prefix of nodes.
    return resource.prefix === 'minions' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes<Node>): void {
    const { spec } = object;
    const key = api.dialect.taints.notReady;
    const taints = spec.taints ?? [];
    if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;
    spec.taints = [...taints, { key, effect }];
  }
}
