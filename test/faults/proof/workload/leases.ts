import { setTimeout } from 'node:timers/promises';
import { onOurClock } from '../cluster/our-clock.ts';
import type { Random } from '../random.ts';
import type { RecordedLease, RunRecord } from '../record.ts';
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

/** Records the holder of the controllers' Lease, revision by revision. */
export async function recordLease(stage: Stage, random: Random): Promise<void> {
  const history = new LeaseHistory(stage.record, stage.servers);
  while (stage.isOn) {
    await new Promise<void>((resolve) => {
      const server = stage.pickServer(random);
      openWatch(stage.urlOf(server), `${history.path}&timeoutSeconds=4`, {
        line: (text) => history.take(server, text),
        end: () => resolve(),
      });
    });
    await setTimeout(50);
  }
}

/** The Lease as observed by consecutive watches. It may be released and acquired between two of them. */
export class LeaseHistory {
  readonly #record: Pick<RunRecord, 'leases'>;
  readonly #servers: number;
  #unbroken: RecordedLease[] | undefined;
  /** Servers whose history after that is compacted. */
  readonly #forgetful = new Set<number>();

  constructor(record: Pick<RunRecord, 'leases'>, servers: number) {
    this.#record = record;
    this.#servers = servers;
  }

  /** The start of the next watch: it resumes where the last one ended. */
  get path(): string {
    const last = this.#unbroken?.at(-1);
    return `${path}&watch=1${last ? `&resourceVersion=${last.revision}` : ''}`;
  }

  take(server: number, text: string): void {
    const line = JSON.parse(text) as LeaseLine;
    if (line.type === 'ERROR') {
      if (line.object.code === GONE) this.#forgetful.add(server);
      // A server whose clock was moved may have compacted its history, and have taken the Lease for the same reason: others know.
      if (this.#forgetful.size === this.#servers) this.#unbroken = undefined;
      return;
    }
    this.#forgetful.clear();
    const { metadata, spec = {} } = line.object;
    this.#unbroken ??= this.#begin();
    this.#unbroken.push({
      revision: Number(metadata.resourceVersion),
      holder: spec.holderIdentity ?? '',
      renewed: onOurClock(Date.parse(spec.renewTime ?? '')),
      duration: (spec.leaseDurationSeconds ?? 0) * 1000,
    });
  }

  #begin(): RecordedLease[] {
    const unbroken: RecordedLease[] = [];
    this.#record.leases.push(unbroken);
    return unbroken;
  }
}
