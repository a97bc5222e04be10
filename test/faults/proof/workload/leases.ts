import { setTimeout } from 'node:timers/promises';
import { onOurClock } from '../cluster/our-clock.ts';
import type { Random } from '../random.ts';
import type { LeaseSeen, RunRecord } from '../record.ts';
import { openWatch } from './ask.ts';
import type { Stage } from './stage.ts';

interface Lease {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly renewTime?: string;
    readonly leaseDurationSeconds?: number;
  };
}

type LeaseLine =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Lease }
  | { readonly type: 'ERROR'; readonly object: { readonly code: number } };

const path =
  '/apis/coordination.orch.io/v1/namespaces/orch-system/leases?fieldSelector=metadata.name%3Dorch-controllers';
const GONE = 410;

/** Records who holds the lease of the controllers, revision by revision. */
export async function followLease(stage: Stage, random: Random): Promise<void> {
  const history = new LeaseHistory(stage.record);
  while (stage.isOn) {
    await new Promise<void>((resolve) => {
      openWatch(stage.urlOf(stage.pickServer(random)), `${history.path}&timeoutSeconds=4`, {
        line: (text) => history.take(text),
        end: () => resolve(),
      });
    });
    await setTimeout(50);
  }
}

/** The lease as watches tell of it, one after the other. It may be given back and taken between two of them. */
export class LeaseHistory {
  readonly #record: Pick<RunRecord, 'leases'>;
  #unbroken: LeaseSeen[] | undefined;

  constructor(record: Pick<RunRecord, 'leases'>) {
    this.#record = record;
  }

  /** What the next watch is to ask for: it goes on where the last one ended, if there was any. */
  get path(): string {
    const last = this.#unbroken?.at(-1);
    return `${path}&watch=1${last ? `&resourceVersion=${last.revision}` : ''}`;
  }

  take(text: string): void {
    const line = JSON.parse(text) as LeaseLine;
    if (line.type === 'ERROR') {
      // From where it was nobody can tell it any more.
      if (line.object.code === GONE) this.#unbroken = undefined;
      return;
    }
    const { metadata, spec = {} } = line.object;
    this.#unbroken ??= this.#begin();
    this.#unbroken.push({
      revision: Number(metadata.resourceVersion),
      holder: spec.holderIdentity ?? '',
      renewed: onOurClock(Date.parse(spec.renewTime ?? '')),
      duration: (spec.leaseDurationSeconds ?? 0) * 1000,
    });
  }

  #begin(): LeaseSeen[] {
    const unbroken: LeaseSeen[] = [];
    this.#record.leases.push(unbroken);
    return unbroken;
  }
}
