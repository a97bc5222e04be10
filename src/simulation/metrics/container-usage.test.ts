// Tests of the resource usage of simulated containers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { orch } from '../../dialect/orch.ts';
import { containerUsage, usageQuantities } from './container-usage.ts';

const running = (name: string) => ({ name, state: { running: {} } });

function usageOf(
  annotations: Record<string, string>,
  stopped: readonly string[] = [],
): Record<string, string> {
  const containers = [
    { name: 'web', resources: { requests: { cpu: '100m', memory: '64Mi' } } },
    { name: 'log', resources: {} },
  ];
  const pod = {
    metadata: { annotations },
    spec: { containers },
    status: {
      containerStatuses: containers
        .filter(({ name }) => !stopped.includes(name))
        .map(({ name }) => running(name)),
    },
  } as unknown as Pod;
  return Object.fromEntries(
    containerUsage(pod, orch).map((usage) => {
      const { cpu, memory } = usageQuantities(usage);
      return [usage.name, `${cpu} ${memory}`];
    }),
  );
}

const { cpuUsage, memoryUsage } = orch.simulation;

test('without annotations a container uses half of its requests, or a default', () => {
  assert.deepEqual(usageOf({}), { web: '50m 32Mi', log: '10m 32Mi' });
});

test('a quantity is the usage of the pod, shared by its containers', () => {
  assert.deepEqual(usageOf({ [cpuUsage]: '1', [memoryUsage]: '1Gi' }), {
    web: '500m 512Mi',
    log: '500m 512Mi',
  });
  assert.deepEqual(usageOf({ [cpuUsage]: '3n' }), { web: '2n 32Mi', log: '1n 32Mi' });
});

test('names of containers have their own usage', () => {
  assert.deepEqual(usageOf({ [cpuUsage]: 'web=250m' }), { web: '250m 32Mi', log: '10m 32Mi' });
  assert.deepEqual(usageOf({ [memoryUsage]: 'log=1Mi,web=0' }), { web: '50m 0', log: '10m 1Mi' });
});

test('only containers that run use anything', () => {
  assert.deepEqual(usageOf({ [cpuUsage]: '1' }, ['log']), { web: '1 32Mi' });
  assert.deepEqual(usageOf({}, ['web', 'log']), {});
});

test('a value that is no quantity is ignored', () => {
  assert.deepEqual(usageOf({ [cpuUsage]: 'much' }), usageOf({}));
  assert.deepEqual(usageOf({ [cpuUsage]: '-1' }), usageOf({}));
});
