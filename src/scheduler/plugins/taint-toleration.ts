// TaintToleration: rejects nodes with taints that the pod does not tolerate, and prefers nodes with few such
// PreferNoSchedule taints.
import { findUntolerated, tolerates } from '../../apis/core/taint-toleration.ts';
import { type FilterPlugin, normalizeScores, type ScorePlugin } from './plugin.ts';

export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  prepare: ({ tolerations }) => ({
    check({ taints }) {
      if (taints.length === 0) return undefined;
      const taint = findUntolerated(taints, tolerations);
      if (!taint) return undefined;
      const reason = `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
      return { plugin: 'TaintToleration', reasons: [reason], isUnresolvable: true };
    },
  }),
};

export const scoreTaints: ScorePlugin = ({ tolerations }, nodes) => {
  const effective = tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
  const untolerated = nodes.map(
    ({ taints }) =>
      taints.filter(
        (taint) =>
          taint.effect === 'PreferNoSchedule' &&
          !effective.some((toleration) => tolerates(toleration, taint)),
      ).length,
  );
  return normalizeScores(untolerated, true);
};
