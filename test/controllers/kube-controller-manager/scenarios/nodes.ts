import { at, condition } from '../api.ts';
import { ignoredLabel, lostNode, readyNode } from '../node.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate } from './pod-template.ts';

const nodes = 'api/v1 nodes';
const pods = 'api/v1 pods';

const taintsOf = (node: unknown) => (at(node, 'spec.taints') ?? []) as { key: string; effect: string }[];

export const lostNodes: Scenario = {
  name: 'node',
  async run({ api, namespace, until }) {
    await until('a node that reports is free of taints', async () => {
      const found = await api.get(nodes, '', readyNode);
      const ttl = found?.metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
      return ttl === '0' && taintsOf(found).length === 0;
    });
    const tolerations = ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 2,
    }));
    const on = (nodeName: string, name: string) => ({
      metadata: { name, labels: ignoredLabel },
      spec: { ...podTemplate(name).spec, nodeName, tolerations },
    });
    await api.create(pods, namespace, on(lostNode, 'evicted'));
    await until('one that does not report is unknown and tainted', async () => {
      const found = await api.get(nodes, '', lostNode);
      const isTainted = taintsOf(found).some(({ key }) => key === 'node.kubernetes.io/unreachable');
      return condition(found, 'Ready') === 'Unknown' && isTainted;
    });
    await until('a pod that does not tolerate it for long is evicted', async () => {
      const pod = await api.get(pods, namespace, 'evicted');
      return !pod || pod.metadata.deletionTimestamp !== undefined;
    });
  },
};
