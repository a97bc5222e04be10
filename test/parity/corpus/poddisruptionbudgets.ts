import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object } from './objects.ts';
import { badSelectors, budgets, labels, selector } from './workloads.ts';

const budget = (spec: JsonObject = {}, name = 'a', metadata: JsonObject = {}) =>
  object(name, { spec: { selector, ...spec } }, metadata);
const tried = (spec: JsonObject) => post(budgets('?dryRun=All'), budget(spec));
const counts = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
const condition = {
  type: 'DisruptionAllowed',
  status: 'True',
  lastTransitionTime: '2024-01-02T03:04:05Z',
  reason: 'SufficientPods',
  message: '',
};

export const podDisruptionBudgetRules = subject('poddisruptionbudgets', [
  ...lifecycle(budgets, budget(), {
    full: budget({ minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' }, 'full', { labels }),
    change: { spec: { maxUnavailable: 1 } },
    status: {
      ...counts,
      observedGeneration: 1,
      disruptedPods: { p: '2024-01-02T03:04:05Z' },
      conditions: [condition],
    },
  }),
  ask(
    'what is let through',
    tried({}),
    tried({ selector: null }),
    tried({ selector: {} }),
    tried({ minAvailable: 0 }),
    tried({ minAvailable: '100%' }),
    tried({ maxUnavailable: '0%' }),
    tried({ unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
    post(budgets('?dryRun=All'), object('a')),
    post(budgets('?dryRun=All'), budget({}, 'a', { generation: 7 })),
    post(budgets('?dryRun=All'), budget({}, 'a.b')),
  ),
  ask(
    'what is refused',
    tried({ minAvailable: 1, maxUnavailable: 1 }),
    tried({ minAvailable: -1 }),
    tried({ maxUnavailable: -1 }),
    tried({ minAvailable: '101%' }),
    tried({ maxUnavailable: '101%' }),
    tried({ minAvailable: 'x' }),
    tried({ maxUnavailable: '5' }),
    tried({ minAvailable: '-5%', maxUnavailable: '' }),
    tried({ unhealthyPodEvictionPolicy: 'Nope' }),
    tried({ unhealthyPodEvictionPolicy: '' }),
    post(budgets('?dryRun=All'), budget({ minAvailable: -1 }, 'UPPER')),
    badSelectors.slice(1).map((bad) => tried({ selector: bad })),
  ),
  ask(
    'what may change and what may not',
    post(budgets(), budget(), { as: 'a' }),
    put(budgets('a'), budget({ minAvailable: 1 })),
    put(budgets('a'), withChange('a', { spec: { selector: { matchLabels: { app: 'b' } } } }), { as: 'b' }),
    put(budgets('a'), withChange('b', { spec: { minAvailable: 1, maxUnavailable: 1 } })),
    put(budgets('a'), withChange('b', { spec: { maxUnavailable: 3 } }), { as: 'c' }),
    put(budgets('a'), withChange('c', { metadata: { name: 'a', resourceVersion: '{c.rv}' } })),
  ),
  ask(
    'statuses that are refused',
    post(budgets(), budget(), { as: 'a' }),
    [
      { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 },
      { ...counts, observedGeneration: -1 },
      { conditions: [{ type: 'x y', status: 'y' }] },
      { conditions: [{ ...condition, reason: '', lastTransitionTime: null }] },
      { conditions: [condition, condition] },
      { conditions: [{ ...condition, observedGeneration: -1, reason: 'bad reason' }] },
      { disruptedPods: { 'bad key!': null } },
    ].map((status) => put(budgets('a/status?dryRun=All'), withChange('a', { status: status as JsonObject }))),
  ),
]);
