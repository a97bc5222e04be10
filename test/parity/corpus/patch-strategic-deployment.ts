import { type JsonObject, post } from '../case.ts';
import { strategic } from './patch-bodies.ts';
import { deployments, labels, template, workload } from './workloads.ts';

/** A deployment with lists of every sort, and strategic merge patches of its parts. */
export const env = (name: string, value: string) => ({ name, value });
const containers = [
  {
    name: 'one',
    image: 'one:1',
    args: ['x', 'y'],
    env: [env('A', '1'), env('B', '2'), env('C', '3')],
    ports: [{ containerPort: 80, name: 'web' }],
    volumeMounts: [
      { name: 'v', mountPath: '/v' },
      { name: 'w', mountPath: '/w' },
    ],
  },
  { name: 'two', image: 'two:1', ports: [{ containerPort: 81 }, { containerPort: 81, protocol: 'UDP' }] },
  { name: 'three', image: 'three:1' },
];
const volumes = [
  { name: 'v', emptyDir: { medium: 'Memory' } },
  { name: 'w', configMap: { name: 'w' } },
];
export const deployment = post(
  deployments(),
  workload({
    template: template(
      {
        containers,
        volumes,
        imagePullSecrets: [{ name: 's' }],
        tolerations: [{ key: 't', operator: 'Exists' }],
      },
      { labels, finalizers: ['a.b/c', 'd.e/f', 'g.h/i'] },
    ),
  }),
);
export const onPod = (spec: JsonObject) =>
  strategic(deployments('a?dryRun=All'), { spec: { template: { spec } } });
export const onSpec = (spec: JsonObject) => strategic(deployments('a?dryRun=All'), { spec });
export const onOne = (fields: JsonObject) => onPod({ containers: [{ name: 'one', ...fields }] });
export const onTemplate = (metadata: JsonObject) =>
  strategic(deployments('a?dryRun=All'), { spec: { template: { metadata } } });
