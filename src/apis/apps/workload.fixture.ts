import { orch } from '../../dialect/index.ts';
import type { KindContext } from '../../kind/context.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';

/** A place for kinds to be tried in, with every feature on. */
export const everything: KindContext = { dialect: orch, features: everyFeature };
/** The same with every feature off that can be. */
export const nothing: KindContext = { dialect: orch, features: { enabled: () => false } };

export const labels = { app: 'web' };
export const selector = { matchLabels: labels };

/** A template of pods that `selector` selects. */
export function template(spec: object = {}, metadata: object = { labels }) {
  return { metadata, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** A good object of any workload kind. */
export const workload = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { selector, template: template(), ...spec },
});
