import { setTimeout } from 'node:timers/promises';
import { onOurClock } from '../cluster/server.ts';
import type { Random } from '../random.ts';
import { openWatch } from './ask.ts';
import type { Stage } from './stage.ts';

interface LeaseLine {
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly spec?: {
      readonly holderIdentity?: string;
      readonly renewTime?: string;
      readonly leaseDurationSeconds?: number;
    };
  };
}

const path = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases';
const leaseName = 'orch-controllers';

/** Records who holds the lease of the controllers, revision by revision. */
export async function followLease(stage: Stage, random: Random): Promise<void> {
  const seen = new Set<number>();
  while (stage.isOn) {
    await new Promise<void>((resolve) => {
      // Every watch begins with the state, so none has to know where the last one ended; what was between is not needed.
      openWatch(stage.urlOf(stage.pickServer(random)), `${path}?watch=1&timeoutSeconds=4`, {
        line(text) {
          const { metadata, spec } = (JSON.parse(text) as LeaseLine).object;
          const revision = Number(metadata?.resourceVersion);
          if (metadata?.name !== leaseName || seen.has(revision) || spec?.renewTime === undefined) return;
          seen.add(revision);
          const renewed = onOurClock(Date.parse(spec.renewTime));
          const duration = (spec.leaseDurationSeconds ?? 0) * 1000;
          stage.record.leases.push({ revision, holder: spec.holderIdentity ?? '', renewed, duration });
        },
        end: () => resolve(),
      });
    });
    await setTimeout(50);
  }
}
