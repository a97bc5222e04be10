// Tests of stabilization windows and scaling policies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../apis/autoscaling/scaling-behavior.ts';
import { limitRecommendation, type Recommended } from './scale-limits.ts';
import { ScalingHistory } from './scaling-history.ts';

const now = 10_000_000;
const seconds = 1_000;

const rules = (policies: HPAScalingPolicy[], more: Partial<HPAScalingRules> = {}): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies,
  ...more,
});
const policy = (type: 'Pods' | 'Percent', value: number, periodSeconds = 60): HPAScalingPolicy => ({
  type,
  value,
  periodSeconds,
});
const anyChange = rules([policy('Percent', 1_000), policy('Pods', 1_000)]);
const behaviorOf = (behavior: HorizontalPodAutoscalerBehavior): HorizontalPodAutoscalerBehavior => ({
  scaleUp: anyChange,
  scaleDown: anyChange,
  ...behavior,
});

/** Recommendations as `[seconds ago, replicas]`. */
function limit(
  recommended: Partial<Recommended>,
  past: readonly [number, number][] = [],
  changes: readonly [number, number][] = [],
) {
  const complete: Recommended = {
    currentReplicas: 4,
    desiredReplicas: 4,
    minReplicas: 1,
    maxReplicas: 100,
    behavior: undefined,
    ...recommended,
  };
  const history = new ScalingHistory(complete.currentReplicas, now - 1e6 * seconds);
  for (const [ago, replicas] of past)
    history.recommendations = [...history.recommendations, { replicas, atMs: now - ago * seconds }];
  for (const [ago, change] of changes)
    history.addChange(10, 10 + change, now - ago * seconds, complete.behavior);
  const { replicas, ableToScale, scalingLimited } = limitRecommendation(complete, history, now);
  return [replicas, ableToScale.reason, `${scalingLimited.isLimited} ${scalingLimited.reason}`];
}

test('without a behavior the highest recommendation of five minutes counts', () => {
  assert.deepEqual(limit({ desiredReplicas: 2 }), [2, 'ReadyForNewScale', 'false DesiredWithinRange']);
  assert.deepEqual(limit({ desiredReplicas: 2 }, [[300, 4]]), [
    4,
    'ScaleDownStabilized',
    'false DesiredWithinRange',
  ]);
  assert.deepEqual(
    limit({ desiredReplicas: 2 }, [
      [299, 3],
      [301, 4],
    ]),
    [3, 'ScaleDownStabilized', 'false DesiredWithinRange'],
  );
});

test('without a behavior the replicas are at most doubled, and four are always allowed', () => {
  assert.deepEqual(limit({ currentReplicas: 10, desiredReplicas: 50 }), [
    20,
    'ReadyForNewScale',
    'true ScaleUpLimit',
  ]);
  assert.deepEqual(limit({ currentReplicas: 1, desiredReplicas: 50 }), [
    4,
    'ReadyForNewScale',
    'true ScaleUpLimit',
  ]);
});

test('minReplicas and maxReplicas limit', () => {
  const bounds = { minReplicas: 3, maxReplicas: 5 };
  assert.deepEqual(limit({ ...bounds, desiredReplicas: 50 }), [
    5,
    'ReadyForNewScale',
    'true TooManyReplicas',
  ]);
  assert.deepEqual(limit({ ...bounds, desiredReplicas: 1 }), [3, 'ReadyForNewScale', 'true TooFewReplicas']);
  const behavior = behaviorOf({});
  assert.deepEqual(limit({ ...bounds, behavior, desiredReplicas: 50 }), [
    5,
    'ReadyForNewScale',
    'true TooManyReplicas',
  ]);
  assert.deepEqual(limit({ ...bounds, behavior, desiredReplicas: 1 }), [
    3,
    'ReadyForNewScale',
    'true TooFewReplicas',
  ]);
});

test('windows of a behavior stabilize both directions', () => {
  const window = { stabilizationWindowSeconds: 60 };
  const behavior = behaviorOf({
    scaleUp: rules([policy('Pods', 100)], window),
    scaleDown: rules([policy('Pods', 100)], window),
  });
  const past: [number, number][] = [
    [61, 1],
    [61, 20],
    [30, 6],
  ];
  assert.deepEqual(limit({ behavior, desiredReplicas: 10 }, past), [
    6,
    'ScaleUpStabilized',
    'false DesiredWithinRange',
  ]);
  assert.deepEqual(limit({ behavior, desiredReplicas: 2 }, [[59, 3]]), [
    3,
    'ScaleDownStabilized',
    'false DesiredWithinRange',
  ]);
  assert.deepEqual(limit({ behavior, desiredReplicas: 2 }, [[59, 9]]), [
    4,
    'ScaleDownStabilized',
    'false DesiredWithinRange',
  ]);
});

test('scaling down stabilizes for five minutes if the behavior says nothing else', () => {
  const { stabilizationWindowSeconds: _window, ...scaleDown } = anyChange;
  const behavior = behaviorOf({ scaleDown });
  assert.deepEqual(limit({ behavior, desiredReplicas: 1 }, [[299, 3]]), [
    3,
    'ScaleDownStabilized',
    'false DesiredWithinRange',
  ]);
  assert.deepEqual(limit({ behavior, desiredReplicas: 1 }, [[301, 3]]), [
    1,
    'ReadyForNewScale',
    'false DesiredWithinRange',
  ]);
});

test('policies limit the change within their period', () => {
  const up = (policies: HPAScalingPolicy[], more: Partial<HPAScalingRules> = {}) =>
    limit({
      behavior: behaviorOf({ scaleUp: rules(policies, more) }),
      currentReplicas: 10,
      desiredReplicas: 90,
    })[0];
  assert.equal(up([policy('Pods', 3)]), 13);
  assert.equal(up([policy('Percent', 15)]), 12);
  assert.equal(up([policy('Pods', 3), policy('Percent', 50)]), 15);
  assert.equal(up([policy('Pods', 3), policy('Percent', 50)], { selectPolicy: 'Min' }), 13);
  assert.equal(up([policy('Pods', 3)], { selectPolicy: 'Disabled' }), 10);
  const down = (policies: HPAScalingPolicy[], more: Partial<HPAScalingRules> = {}) =>
    limit({
      behavior: behaviorOf({ scaleDown: rules(policies, more) }),
      currentReplicas: 10,
      desiredReplicas: 1,
    })[0];
  assert.equal(down([policy('Pods', 3)]), 7);
  assert.equal(down([policy('Percent', 15)]), 8);
  assert.equal(down([policy('Pods', 3), policy('Percent', 50)]), 5);
  assert.equal(down([policy('Pods', 3), policy('Percent', 50)], { selectPolicy: 'Min' }), 7);
  assert.equal(down([policy('Pods', 3)], { selectPolicy: 'Disabled' }), 10);
});

test('earlier changes within the period of a policy count', () => {
  const behavior = behaviorOf({
    scaleUp: rules([policy('Pods', 3)]),
    scaleDown: rules([policy('Pods', 3)]),
  });
  const from10 = { behavior, currentReplicas: 10 };
  assert.deepEqual(limit({ ...from10, desiredReplicas: 90 }, [], [[59, 2]])[0], 11);
  assert.deepEqual(limit({ ...from10, desiredReplicas: 90 }, [], [[60, 2]])[0], 13);
  assert.deepEqual(limit({ ...from10, desiredReplicas: 90 }, [], [[10, 5]]), [
    10,
    'ReadyForNewScale',
    'true ScaleUpLimit',
  ]);
  assert.deepEqual(limit({ ...from10, desiredReplicas: 90 }, [], [[30, -1]])[0], 14);
  assert.deepEqual(limit({ ...from10, desiredReplicas: 1 }, [], [[30, -2]]), [
    9,
    'ReadyForNewScale',
    'true ScaleDownLimit',
  ]);
});

test('a history keeps what windows and policies look back at', () => {
  const history = new ScalingHistory(1, 0);
  for (let minute = 1; minute <= 60; minute++)
    history.addRecommendation(minute, minute * 60 * seconds, undefined);
  assert.deepEqual(
    history.recommendations.map(({ replicas }) => replicas),
    [55, 56, 57, 58, 59, 60],
  );
  history.addChange(1, 2, 0, undefined);
  assert.deepEqual(history.scaleUps, []);
  const behavior = behaviorOf({});
  for (let minute = 0; minute < 5; minute++) history.addChange(1, 3, minute * 30 * seconds, behavior);
  assert.equal(history.scaleUps.length, 2);
});
