// The recent recommendations and changes of an autoscaler, which stabilization windows and scaling policies look back at. As upstream,
// it is only in memory: after a restart an autoscaler begins with the current number of replicas.
import type { HorizontalPodAutoscalerBehavior } from '../../apis/autoscaling/scaling-behavior.ts';

export interface Recommendation {
  readonly replicas: number;
  /** Monotonic. */
  readonly atMs: number;
}

/** A change of the scale that the autoscaler made. */
export interface ScaleEvent {
  /** The number of added or removed replicas, not negative. */
  readonly change: number;
  /** Monotonic. */
  readonly atMs: number;
}

/** The stabilization window for scaling down that applies without another one in the behavior. */
export const defaultDownscaleWindowMs = 5 * 60_000;

export class ScalingHistory {
  recommendations: readonly Recommendation[];
  scaleUps: readonly ScaleEvent[] = [];
  scaleDowns: readonly ScaleEvent[] = [];

  constructor(currentReplicas: number, nowMs: number) {
    this.recommendations = [{ replicas: currentReplicas, atMs: nowMs }];
  }

  /** Adds a recommendation before its stabilization, and drops those that no window looks back at. */
  addRecommendation(
    replicas: number,
    nowMs: number,
    behavior: HorizontalPodAutoscalerBehavior | undefined,
  ): void {
    const windowsMs = [behavior?.scaleUp, behavior?.scaleDown].map(
      (rules) => (rules?.stabilizationWindowSeconds ?? 0) * 1000,
    );
    const startMs = nowMs - Math.max(defaultDownscaleWindowMs, ...windowsMs);
    this.recommendations = [
      ...this.recommendations.filter(({ atMs }) => atMs >= startMs),
      { replicas, atMs: nowMs },
    ];
  }

  /** Adds a change of the scale. Only policies of a behavior look at it. */
  addChange(
    oldReplicas: number,
    newReplicas: number,
    nowMs: number,
    behavior: HorizontalPodAutoscalerBehavior | undefined,
  ): void {
    if (!behavior) return;
    const policies = [...(behavior.scaleUp?.policies ?? []), ...(behavior.scaleDown?.policies ?? [])];
    const longestMs = Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds * 1000));
    const isRecent = ({ atMs }: ScaleEvent) => atMs > nowMs - longestMs;
    this.scaleUps = this.scaleUps.filter(isRecent);
    this.scaleDowns = this.scaleDowns.filter(isRecent);
    const event = { change: Math.abs(newReplicas - oldReplicas), atMs: nowMs };
    if (newReplicas > oldReplicas) this.scaleUps = [...this.scaleUps, event];
    else this.scaleDowns = [...this.scaleDowns, event];
  }
}
