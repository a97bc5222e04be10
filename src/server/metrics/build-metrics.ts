import type { VersionInfo } from '../../http/endpoints/version.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Which release this is, for whoever looks at many servers. */
export function addBuildMetrics(meters: Metrics, info: VersionInfo): void {
  const { buildDate, compiler, gitCommit, gitTreeState, gitVersion, goVersion, major, minor, platform } =
    info;
  meters
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
