import { at, condition } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate, selector } from './pod-template.ts';

const deployments = 'apis/apps/v1 deployments';
const quotas = 'api/v1 resourcequotas';
const autoscalers = 'apis/autoscaling/v2 horizontalpodautoscalers';
const budgets = 'apis/policy/v1 poddisruptionbudgets';
const policies = 'apis/admissionregistration.k8s.io/v1 validatingadmissionpolicies';

export const quota: Scenario = {
  name: 'quota',
  async run({ api, namespace, until }) {
    const containers = [{ name: 'main', image: 'main', resources: { requests: { cpu: '500m' } } }];
    const spec = { replicas: 3, selector: selector('q'), template: podTemplate('q', { containers }) };
    await api.create(deployments, namespace, { metadata: { name: 'q' }, spec });
    await until('pods to count', async () => (await api.list('api/v1 pods', namespace)).length === 3);
    const hard = { pods: '10', 'requests.cpu': '4', configmaps: '20', 'count/deployments.apps': '5' };
    await api.create(quotas, namespace, { metadata: { name: 'quota' }, spec: { hard } });
    const status = async () => (await api.get(quotas, namespace, 'quota'))?.status;
    await until('the limits are taken over, and what is used is counted', async () => {
      const { hard: taken, used } = ((await status()) ?? {}) as Record<string, Record<string, string>>;
      if (taken?.pods !== '10' || !used) return false;
      const { pods, 'requests.cpu': cpu, 'count/deployments.apps': counted } = used;
      return pods === '3' && cpu === '1500m' && counted === '1';
    });
    await api.patch(deployments, namespace, 'q', { spec: { replicas: 1 } });
    await until('what is no longer used is given back', async () => at(await status(), 'used.pods') === '1');
  },
};

export const autoscaler: Scenario = {
  name: 'autoscaler',
  async run({ api, namespace, until }) {
    const spec = { replicas: 1, selector: selector('a'), template: podTemplate('a') };
    await api.create(deployments, namespace, { metadata: { name: 'a' }, spec });
    await api.create(autoscalers, namespace, {
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        minReplicas: 2,
        maxReplicas: 3,
      },
    });
    await until('at least the fewest replicas', async () => {
      return at(await api.get(deployments, namespace, 'a'), 'spec.replicas') === 2;
    });
    await until('it says that it is able to scale', async () => {
      return condition(await api.get(autoscalers, namespace, 'a'), 'AbleToScale') === 'True';
    });
  },
};

export const disruptionBudget: Scenario = {
  name: 'budget',
  async run({ api, namespace, until }) {
    const spec = { replicas: 3, selector: selector('b'), template: podTemplate('b') };
    await api.create(deployments, namespace, { metadata: { name: 'b' }, spec });
    await api.create(budgets, namespace, {
      metadata: { name: 'b' },
      spec: { minAvailable: 2, selector: selector('b') },
    });
    const allowed = async () => at(await api.get(budgets, namespace, 'b'), 'status.disruptionsAllowed');
    await until('one disruption is allowed', async () => (await allowed()) === 1);
    const [pod] = await api.list('api/v1 pods', namespace);
    const name = pod?.metadata.name ?? '';
    await api.post('api/v1 pods', namespace, name, 'eviction', { metadata: { name, namespace } });
    await until('an evicted pod is replaced, and one is allowed again', async () => {
      const names = (await api.list('api/v1 pods', namespace)).map(({ metadata }) => metadata.name);
      return names.length === 3 && !names.includes(name) && (await allowed()) === 1;
    });
  },
};

export const admissionPolicy: Scenario = {
  name: 'policy',
  async run({ api, until }) {
    const name = 'mistaken';
    const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] };
    await api.create(policies, '', {
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'object.spec.replicaz < 5' }],
      },
    });
    await until('the mistake in an expression is found by the types of the API', async () => {
      const found = at(await api.get(policies, '', name), 'status.typeChecking.expressionWarnings.0.warning');
      return String(found).includes("undefined field 'replicaz'");
    });
  },
};
