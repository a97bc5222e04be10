// Limits of a recommendation: stabilization windows, the policies of spec.behavior, and minReplicas and maxReplicas. Pure functions.
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../apis/autoscaling/scaling-behavior.ts';
import { defaultDownscaleWindowMs, type ScaleEvent, type ScalingHistory } from './scaling-history.ts';

export interface Recommended {
  readonly currentReplicas: number;
  /** By the metrics. */
  readonly desiredReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
}

interface Reason {
  readonly reason: string;
  readonly message: string;
}

export interface LimitedRecommendation {
  readonly replicas: number;
  /** Of the condition AbleToScale, which is true. */
  readonly ableToScale: Reason;
  /** Of the condition ScalingLimited. */
  readonly scalingLimited: Reason & { readonly isLimited: boolean };
}

type History = Pick<ScalingHistory, 'recommendations' | 'scaleUps' | 'scaleDowns'>;

interface Limited extends Reason {
  readonly replicas: number;
}

export function limitRecommendation(
  recommended: Recommended,
  history: History,
  nowMs: number,
): LimitedRecommendation {
  const { desiredReplicas, behavior } = recommended;
  const stabilized = behavior
    ? stabilizeByBehavior(recommended, behavior, history, nowMs)
    : stabilizeDownscale(desiredReplicas, history, nowMs);
  const { replicas, reason, message } = behavior
    ? limitByPolicies(recommended, stabilized.replicas, behavior, history, nowMs)
    : limitByFactor(recommended, stabilized.replicas);
  return {
    replicas,
    ableToScale: stabilized.replicas === desiredReplicas ? readyForNewScale : stabilized,
    scalingLimited: { isLimited: replicas !== stabilized.replicas, reason, message },
  };
}

const readyForNewScale: Reason = {
  reason: 'ReadyForNewScale',
  message: 'recommended size matches current size',
};
const scaleDownStabilized: Reason = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const scaleUpStabilized: Reason = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const scaleUpLimit: Reason = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const scaleDownLimit: Reason = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};
const tooManyReplicas: Reason = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFewReplicas: Reason = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const withinRange: Reason = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};

/** Without a behavior: the highest recommendation of the last five minutes. */
function stabilizeDownscale(desiredReplicas: number, { recommendations }: History, nowMs: number): Limited {
  const recent = recommendations.filter(({ atMs }) => atMs >= nowMs - defaultDownscaleWindowMs);
  const replicas = Math.max(desiredReplicas, ...recent.map((each) => each.replicas));
  return { replicas, ...scaleDownStabilized };
}

/** Brings the current replicas between the lowest recommendation of one window and the highest of the other. */
function stabilizeByBehavior(
  { currentReplicas, desiredReplicas }: Recommended,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  { recommendations }: History,
  nowMs: number,
): Limited {
  const within = (windowMs: number) =>
    recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas);
  const lowest = Math.min(desiredReplicas, ...within(windowMsOf(scaleUp, 0)));
  const highest = Math.max(desiredReplicas, ...within(windowMsOf(scaleDown, defaultDownscaleWindowMs)));
  const replicas = Math.min(Math.max(currentReplicas, lowest), highest);
  return { replicas, ...(desiredReplicas >= currentReplicas ? scaleUpStabilized : scaleDownStabilized) };
}

const windowMsOf = (rules: HPAScalingRules | undefined, defaultMs: number) =>
  rules?.stabilizationWindowSeconds === undefined ? defaultMs : rules.stabilizationWindowSeconds * 1000;

/** Without a behavior, the replicas are at most doubled, or raised to four. */
const scaleUpFactor = 2;
const scaleUpMinimum = 4;

function limitByFactor(
  { currentReplicas, minReplicas, maxReplicas }: Recommended,
  replicas: number,
): Limited {
  const rateLimit = Math.max(scaleUpFactor * currentReplicas, scaleUpMinimum);
  if (replicas < minReplicas) return { replicas: minReplicas, ...tooFewReplicas };
  if (replicas > Math.min(maxReplicas, rateLimit))
    return maxReplicas > rateLimit
      ? { replicas: rateLimit, ...scaleUpLimit }
      : { replicas: maxReplicas, ...tooManyReplicas };
  return { replicas, ...withinRange };
}

function limitByPolicies(
  { currentReplicas, minReplicas, maxReplicas }: Recommended,
  replicas: number,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  history: History,
  nowMs: number,
): Limited {
  if (replicas > currentReplicas) {
    const limit = Math.max(currentReplicas, highestReplicas(currentReplicas, scaleUp!, history, nowMs));
    const [most, reason] = maxReplicas > limit ? [limit, scaleUpLimit] : [maxReplicas, tooManyReplicas];
    if (replicas > most) return { replicas: most, ...reason };
  } else if (replicas < currentReplicas) {
    const limit = Math.min(currentReplicas, lowestReplicas(currentReplicas, scaleDown!, history, nowMs));
    const [least, reason] = minReplicas < limit ? [limit, scaleDownLimit] : [minReplicas, tooFewReplicas];
    if (replicas < least) return { replicas: least, ...reason };
  }
  return { replicas, ...withinRange };
}

/** The most replicas that the policies allow now. */
function highestReplicas(
  currentReplicas: number,
  { selectPolicy, policies = [] }: HPAScalingRules,
  history: History,
  nowMs: number,
): number {
  if (selectPolicy === 'Disabled') return currentReplicas;
  const limits = policies.map((policy) => {
    const start = replicasAtStart(currentReplicas, policy, history, nowMs);
    // Rounded up, so that a small percentage does not prevent any change.
    return policy.type === 'Pods' ? start + policy.value : Math.ceil(start * (1 + policy.value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

/** The fewest replicas that the policies allow now. */
function lowestReplicas(
  currentReplicas: number,
  { selectPolicy, policies = [] }: HPAScalingRules,
  history: History,
  nowMs: number,
): number {
  if (selectPolicy === 'Disabled') return currentReplicas;
  const limits = policies.map((policy) => {
    const start = replicasAtStart(currentReplicas, policy, history, nowMs);
    return policy.type === 'Pods' ? start - policy.value : Math.trunc(start * (1 - policy.value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

/** The replicas at the start of the period of a policy. */
function replicasAtStart(
  currentReplicas: number,
  { periodSeconds }: HPAScalingPolicy,
  { scaleUps, scaleDowns }: History,
  nowMs: number,
): number {
  const changeWithin = (events: readonly ScaleEvent[]) =>
    events
      .filter(({ atMs }) => atMs > nowMs - periodSeconds * 1000)
      .reduce((sum, { change }) => sum + change, 0);
  return currentReplicas - changeWithin(scaleUps) + changeWithin(scaleDowns);
}
