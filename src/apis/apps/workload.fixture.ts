// Fixtures for the tests of workload kinds.
import { orch } from '../../dialect/index.ts';
import type { KindContext } from '../../kind/context.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';

/** Context with every feature gate enabled. */
export const everything: KindContext = { dialect: orch, features: everyFeature };
/** Context with every feature gate disabled. */
export const nothing: KindContext = { dialect: orch, features: { enabled: () => false } };

export const labels = { app: 'web' };
export const selector = { matchLabels: labels };

/** A pod template that `selector` matches. */
export function template(spec: object = {}, metadata: object = { labels }) {
  return { metadata, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** A valid object of any workload kind. */
export const workload = (spec: object = {}, metadata: object = {}) => ({
  metadata,
  spec: { selector, template: template(), ...spec },
});
