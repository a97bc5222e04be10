import type { Node } from '../../apis/core/node.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../plugin.ts';

const effect = 'NoSchedule';

/** Keeps pods from a new node until somebody has seen that it is ready. */
export class TaintNodesByCondition implements Plugin {
  readonly name = 'TaintNodesByCondition';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'minions' && subresource === '' && operation === 'CREATE';
  }

  admit({ api, object }: Attributes): void {
    const { spec } = object as Node;
    const key = api.dialect.taints.notReady;
    const taints = spec.taints ?? [];
    if (taints.some((taint) => taint.key === key && taint.effect === effect)) return;
    spec.taints = [...taints, { key, effect }];
  }
}
