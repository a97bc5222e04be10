// ResourceQuota evaluator of Services: counts Services, load balancers and node ports.
import type { Service } from '../../../apis/core/service.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { countQuantity } from './usage.ts';

export function serviceEvaluator(countName: string): QuotaEvaluator<Service> {
  const names = new Set([countName, 'services', 'services.nodeports', 'services.loadbalancers']);
  return {
    counts: (name) => names.has(name),
    usage({ spec }) {
      const { type, ports = [], allocateLoadBalancerNodePorts } = spec;
      const usage = new Map([
        [countName, countQuantity(1)],
        ['services', countQuantity(1)],
      ]);
      if (type === 'LoadBalancer') usage.set('services.loadbalancers', countQuantity(1));
      if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)) {
        usage.set('services.nodeports', countQuantity(ports.length));
      } else if (type === 'LoadBalancer') {
        // Without automatic allocation only the node ports that the client has set count.
        usage.set('services.nodeports', countQuantity(ports.filter(({ nodePort }) => nodePort).length));
      }
      return usage;
    },
    chargedSubresources: [''],
  };
}
