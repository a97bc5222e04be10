/**
 * API Priority and Fairness: the suggested FlowSchemas and PriorityLevelConfigurations, which administrators may
 * change.
 */
import type { FlowSchemaSpec, ResourcePolicyRule, Subject } from '../apis/flowcontrol/flowschema.ts';
import { allRequests, type FlowControlSpecs, groupSubject } from '../apis/flowcontrol/mandatory.ts';
import type { PriorityLevelConfigurationSpec } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import type { Dialect } from '../dialect/index.ts';

/** The names of components and groups depend on the dialect: Kubernetes' names, or those of Orch. */
export function suggested(dialect: Dialect): FlowControlSpecs {
  return { flowSchemas: schemas(dialect), priorityLevels: levels };
}

interface Queuing {
  readonly queues: number;
  readonly handSize: number;
}

const limited = (
  nominalConcurrencyShares: number,
  lendablePercent: number,
  { queues, handSize }: Queuing,
): PriorityLevelConfigurationSpec => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
    lendablePercent,
  },
});

const levels: FlowControlSpecs['priorityLevels'] = {
  system: limited(30, 33, { queues: 64, handSize: 6 }),
  'node-high': limited(40, 25, { queues: 64, handSize: 6 }),
  'leader-election': limited(10, 0, { queues: 16, handSize: 4 }),
  'workload-high': limited(40, 50, { queues: 128, handSize: 6 }),
  'workload-low': limited(100, 90, { queues: 128, handSize: 6 }),
  'global-default': limited(20, 50, { queues: 128, handSize: 6 }),
};

const schema = (
  level: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  subjects: Subject[],
  rules: Omit<NonNullable<FlowSchemaSpec['rules']>[number], 'subjects'> = allRequests,
): FlowSchemaSpec => ({
  priorityLevelConfiguration: { name: level },
  matchingPrecedence,
  ...(distinguisher && { distinguisherMethod: { type: distinguisher } }),
  rules: [{ subjects, ...rules }],
});

const user = (name: string): Subject => ({ kind: 'User', user: { name } });
const everybody = [groupSubject('system:unauthenticated'), groupSubject('system:authenticated')];
const inNamespaces = (verbs: string[], apiGroup: string, resources: string[]): ResourcePolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources,
  namespaces: ['*'],
});
const leaderElectionVerbs = ['get', 'create', 'update'];

function schemas({ component, systemNamespace, groupName }: Dialect): FlowControlSpecs['flowSchemas'] {
  const account = (name: string): Subject => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace: systemNamespace, name },
  });
  const controllerManager = user(`system:${component('controller-manager')}`);
  const scheduler = user(`system:${component('scheduler')}`);
  const nodes = [groupSubject('system:nodes')];
  const leases = groupName('coordination');
  return {
    probes: schema('exempt', 2, undefined, everybody, {
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    }),
    'system-leader-election': schema(
      'leader-election',
      100,
      'ByUser',
      [controllerManager, scheduler, account('*')],
      { resourceRules: [inNamespaces(leaderElectionVerbs, leases, ['leases'])] },
    ),
    'endpoint-controller': schema(
      'workload-high',
      150,
      'ByUser',
      [controllerManager, account('endpoint-controller'), account('endpointslicemirroring-controller')],
      { resourceRules: [inNamespaces(leaderElectionVerbs, '', ['endpoints'])] },
    ),
    'workload-leader-election': schema('leader-election', 200, 'ByUser', [account('*')], {
      resourceRules: [
        inNamespaces(leaderElectionVerbs, '', ['endpoints', 'configmaps']),
        inNamespaces(leaderElectionVerbs, leases, ['leases']),
      ],
    }),
    'system-node-high': schema('node-high', 400, 'ByUser', nodes, {
      resourceRules: [
        { ...inNamespaces(['*'], '', ['nodes', 'nodes/status']), clusterScope: true },
        inNamespaces(['*'], leases, ['leases']),
      ],
    }),
    'system-nodes': schema('system', 500, 'ByUser', nodes),
    [component('controller-manager')]: schema('workload-high', 800, 'ByNamespace', [controllerManager]),
    [component('scheduler')]: schema('workload-high', 800, 'ByNamespace', [scheduler]),
    [`${systemNamespace}-service-accounts`]: schema('workload-high', 900, 'ByNamespace', [account('*')]),
    'service-accounts': schema('workload-low', 9000, 'ByUser', [groupSubject('system:serviceaccounts')]),
    'global-default': schema('global-default', 9900, 'ByUser', everybody),
  };
}
