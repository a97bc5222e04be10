import { ask, post, put, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object } from './objects.ts';
import { container, podSpec, podtemplates } from './pod-spec-cases.ts';

const template = (name: string, spec = podSpec(), metadata = {}) =>
  object(name, { template: { metadata, spec } });

export const podTemplateRules = subject('podtemplates', [
  ...lifecycle(podtemplates, template('a'), {
    full: template(
      'full',
      podSpec({
        initContainers: [container({ name: 'i' })],
        volumes: [{ name: 'v', configMap: { name: 'x' } }],
        nodeSelector: { a: 'b' },
      }),
      { labels: { a: 'b' }, annotations: { c: 'd' } },
    ),
    change: { template: { metadata: {}, spec: podSpec({ hostname: 'x' }) } },
  }),
  ask(
    'templates that cannot be kept',
    post(podtemplates(), { metadata: { name: 'a' } }),
    post(podtemplates(), { metadata: { name: 'a' }, template: {} }),
    post(podtemplates(), template('A')),
    post(podtemplates(), {
      metadata: { name: 'a', finalizers: ['x'] },
      template: { spec: podSpec({ dnsPolicy: 'x' }) },
    }),
    post(podtemplates(), { metadata: {}, template: { spec: podSpec() } }),
    put(podtemplates('a'), template('a')),
  ),
]);
