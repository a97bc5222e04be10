// The metric build_info: its labels are the release and its build, its value is always 1.
import type { VersionInfo } from '../../http/endpoints/version.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export function addBuildMetrics(metrics: Metrics, info: VersionInfo): void {
  const { buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform } =
    info;
  metrics
    .gauge('build_info')
    .child(
      buildDate,
      compiler,
      gitCommit,
      gitTreeState,
      gitVersion,
      goVersion,
      major,
      minor,
      platform,
    ).value = 1;
}
