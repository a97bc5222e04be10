import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ControllerSet } from '../controllers/runtime/controller-set.ts';
import { LeaderElection, type LeaderElectionConfig } from '../controllers/runtime/leader-election.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServerOptions } from './options.ts';

/** The lease by which controllers are led; others than ours do not look at it. */
const controllerLease = 'orch-controllers';

type OwnParts = Pick<LeaderElectionConfig, 'client' | 'clock' | 'dialect' | 'logger'>;

/** Decides which of the servers that share a storage runs its controllers; undefined where this one does anyway. */
export function electionOf(options: ServerOptions, parts: OwnParts): LeaderElection | undefined {
  if (!(options.leaderElect ?? options.storage === 'etcd')) return undefined;
  return new LeaderElection({
    ...parts,
    identity: `${hostname()}_${randomUUID()}`,
    lease: controllerLease,
    timing: {
      leaseDurationMs: options.leaderElectLeaseDuration,
      renewDeadlineMs: options.leaderElectRenewDeadline,
      retryPeriodMs: options.leaderElectRetryPeriod,
    },
  });
}

/** Runs controllers for as long as this server leads. */
export function standForElection(
  election: LeaderElection,
  controllers: ControllerSet,
  { logger }: Pick<OwnParts, 'logger'>,
  meters: Metrics,
): void {
  const isLeading = meters.gauge('leader_election_master_status').child(controllerLease);
  election.start({
    onStartedLeading() {
      isLeading.value = 1;
      logger.info({}, 'became leader, starting controllers');
      controllers
        .start()
        .catch((error: unknown) => logger.error({ err: error }, 'failed to start controllers'));
    },
    async onStoppedLeading() {
      isLeading.value = 0;
      logger.info({}, 'lost leadership, stopping controllers');
      await controllers.stop();
    },
  });
}
