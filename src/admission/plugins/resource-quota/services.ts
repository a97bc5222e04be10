// ResourceQuota evaluator of Services.
import type { Service } from '../../../apis/core/service.ts';
import type { Evaluator } from './evaluator.ts';
import { counted } from './usage.ts';

export function services(total: string): Evaluator<Service> {
  const names = new Set([total, 'services', 'services.nodeports', 'services.loadbalancers']);
  return {
    counts: (name) => names.has(name),
    usage({ spec }) {
      const { type, ports = [], allocateLoadBalancerNodePorts } = spec;
      const usage = new Map([
        [total, counted(1)],
        ['services', counted(1)],
      ]);
      if (type === 'LoadBalancer') usage.set('services.loadbalancers', counted(1));
      if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)) {
        usage.set('services.nodeports', counted(ports.length));
      } else if (type === 'LoadBalancer') {
        usage.set('services.nodeports', counted(ports.filter(({ nodePort }) => nodePort).length));
      }
      return usage;
    },
    growsThrough: [''],
  };
}
