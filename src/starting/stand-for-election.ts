import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ControllerSet } from '../controllers/controller-set.ts';
import { type ElectionParts, LeaderElection } from '../controllers/leader-election.ts';
import type { Meters } from '../telemetry/meters.ts';

/** The lease by which controllers are led; others than ours do not look at it. */
const controllerLease = 'orch-controllers';

export function standForElection(
  parts: Pick<ElectionParts, 'client' | 'clock' | 'dialect' | 'logger'>,
  controllers: ControllerSet,
  meters: Meters,
): LeaderElection {
  const { logger } = parts;
  const isLeading = meters.gauge('leader_election_master_status').child(controllerLease);
  const election = new LeaderElection({
    ...parts,
    identity: `${hostname()}_${randomUUID()}`,
    lease: controllerLease,
    onLead() {
      isLeading.value = 1;
      logger.info({}, 'this server leads: its controllers run');
      controllers
        .start()
        .catch((error: unknown) => logger.error({ err: error }, 'controllers did not start'));
    },
    async onLoss() {
      isLeading.value = 0;
      logger.info({}, 'this server does not lead any more: its controllers stop');
      await controllers.stop();
    },
  });
  election.start();
  return election;
}
