import type { FlowSchema } from '../api/flowcontrol/flowschema.ts';
import type { PriorityLevelConfiguration } from '../api/flowcontrol/prioritylevelconfiguration.ts';
import { every } from '../clock.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { Api } from '../resource/api.ts';
import { apply } from '../resource/apply.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import { timestamp } from '../resource/time.ts';
import type { Logger } from '../telemetry/log.ts';
import type { FlowControl } from './flow-control.ts';
import { ensureStandingConfiguration, levelsOf, readAll, schemasOf } from './standing-configuration.ts';

/** How often what every server has is put right, beyond when it is deleted. */
const repairMs = 60_000;

const telling = {
  ...plainWrite,
  manager: 'api-priority-and-fairness-config-consumer-v1',
  force: true,
};

/** Keeps fairness in step with the schemas and levels that are stored, and says of each schema whether its level exists. */
export class LiveConfiguration {
  readonly #api: Api;
  /** Undefined where it is turned off: the objects are there all the same. */
  readonly #flow: Pick<FlowControl, 'configure'> | undefined;
  readonly #logger: Logger;
  readonly #prefixes: ReadonlySet<string>;
  #schemas: readonly FlowSchema[] = [];
  #levels: ReadonlySet<string> = new Set();
  #unsubscribe: (() => void) | undefined;
  #stopRepair: (() => void) | undefined;
  #isStale = false;
  #closed = false;
  /** What is being written without anybody waiting for it. */
  #working: Promise<void> = Promise.resolve();

  constructor(api: Api, flow: Pick<FlowControl, 'configure'> | undefined, logger: Logger) {
    this.#api = api;
    this.#flow = flow;
    this.#logger = logger;
    this.#prefixes = new Set([schemasOf(api).prefix, levelsOf(api).prefix]);
  }

  /** Before anybody is served. */
  async begin(): Promise<void> {
    const { store } = this.#api;
    await ensureStandingConfiguration(this.#api);
    this.#stopRepair = every(this.#api.clock, repairMs, () =>
      this.#inBackground(() => ensureStandingConfiguration(this.#api)),
    );
    if (!this.#flow) return;
    this.#unsubscribe = store.subscribe((changes) => {
      if (changes.some(({ prefix }) => this.#prefixes.has(prefix))) this.#readSoon();
    });
    this.#read();
    await this.#working;
  }

  /** The store has become another one. */
  reset(): void {
    if (this.#flow) this.#readSoon();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe?.();
    this.#stopRepair?.();
    await this.#working;
  }

  /** Once for all that becomes visible together. */
  #readSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale && !this.#closed) this.#read();
    });
  }

  #read(): void {
    this.#isStale = false;
    try {
      const levels = readAll<PriorityLevelConfiguration>(this.#api, levelsOf(this.#api));
      this.#schemas = readAll<FlowSchema>(this.#api, schemasOf(this.#api));
      this.#levels = new Set(levels.map(({ metadata }) => metadata.name ?? ''));
      this.#flow?.configure(this.#schemas, levels);
    } catch (error) {
      this.#logger.error(
        { err: error },
        'failed to read the priority and fairness configuration, keeping the previous one',
      );
      return;
    }
    if (this.#schemas.some((schema) => this.#isToldOtherwise(schema))) {
      this.#inBackground(() => this.#tellSchemas());
    }
  }

  /** Its condition says something else than is so. */
  #isToldOtherwise({ spec, status }: FlowSchema): boolean {
    const isDangling = !this.#levels.has(spec.priorityLevelConfiguration.name);
    const told = status.conditions?.find(({ type }) => type === 'Dangling');
    const { message, reason, status: value } = conditionOf(spec.priorityLevelConfiguration.name, isDangling);
    return told?.status !== value || told.reason !== reason || told.message !== message;
  }

  async #tellSchemas(): Promise<void> {
    await Promise.all(
      this.#schemas.filter((schema) => this.#isToldOtherwise(schema)).map((schema) => this.#tell(schema)),
    );
  }

  async #tell({ metadata: { name = '', uid }, spec, status }: FlowSchema): Promise<void> {
    const api = this.#api;
    const resource = schemasOf(api);
    const level = spec.priorityLevelConfiguration.name;
    const condition = conditionOf(level, !this.#levels.has(level));
    const told = status.conditions?.find(({ type }) => type === 'Dangling');
    const value = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name, ...(uid !== undefined && { uid }) },
      status: {
        conditions: [
          {
            ...condition,
            // Another reason is no change of its state.
            lastTransitionTime:
              told?.status === condition.status && told.lastTransitionTime
                ? told.lastTransitionTime
                : timestamp(api.clock),
          },
        ],
      },
    };
    const target = { resource, namespace: '', name, subresource: 'status' };
    try {
      await apply(api, target, { value, repeated: [] }, telling, []);
    } catch (error) {
      // It was deleted, or made anew: then its change is heard of as well.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #inBackground(work: () => Promise<void>): void {
    this.#working = this.#working
      .then(() => (this.#closed ? undefined : work()))
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'failed to write the priority and fairness configuration');
      });
  }
}

function conditionOf(level: string, isDangling: boolean) {
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${quote(level)}`;
  return isDangling
    ? {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${about} but there is no such object`,
      }
    : { type: 'Dangling', status: 'False', reason: 'Found', message: `${about} and it exists` };
}
