// API Priority and Fairness: follows the stored configuration, and maintains the Dangling condition of FlowSchemas.
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import type { PriorityLevelConfiguration } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import { every, timestamp } from '../base/clock.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { Api } from '../registry/api.ts';
import { plainWrite } from '../registry/options/write-options.ts';
import { apply } from '../registry/verbs/apply.ts';
import type { Logger } from '../telemetry/log.ts';
import { ensureBootstrapConfiguration, levelsOf, readAll, schemasOf } from './bootstrap-configuration.ts';
import type { FlowControl } from './flow-control.ts';

/** Interval at which mandatory and suggested objects are restored. */
const repairMs = 60_000;

const conditionWrite = {
  ...plainWrite,
  manager: 'api-priority-and-fairness-config-consumer-v1',
  force: true,
};

/** Applies stored FlowSchemas and PriorityLevelConfigurations, and writes whether each schema's level exists. */
export class ConfigController {
  readonly #api: Api;
  /** Undefined if priority and fairness is disabled: the objects are maintained all the same. */
  readonly #flow: Pick<FlowControl, 'configure'> | undefined;
  readonly #logger: Logger;
  #schemas: readonly FlowSchema[] = [];
  #levels: ReadonlySet<string> = new Set();
  #unsubscribe: (() => void) | undefined;
  #stopRepair: (() => void) | undefined;
  #isStale = false;
  #closed = false;
  /** Writes in the background. */
  #working: Promise<void> = Promise.resolve();

  constructor(api: Api, flow: Pick<FlowControl, 'configure'> | undefined, logger: Logger) {
    this.#api = api;
    this.#flow = flow;
    this.#logger = logger;
  }

  /** Called before requests are served. */
  async start(): Promise<void> {
    const { store } = this.#api;
    await ensureBootstrapConfiguration(this.#api);
    this.#stopRepair = every(this.#api.clock, repairMs, () =>
      this.#inBackground(() => ensureBootstrapConfiguration(this.#api)),
    );
    if (!this.#flow) return;
    const prefixes = [schemasOf(this.#api).prefix, levelsOf(this.#api).prefix];
    this.#unsubscribe = store.subscribe(() => this.#readSoon(), prefixes);
    this.#read();
    await this.#working;
  }

  /** The store was restored to another state. */
  reset(): void {
    if (this.#flow) this.#readSoon();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe?.();
    this.#stopRepair?.();
    await this.#working;
  }

  /** Reads once for all changes that become visible together. */
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
    if (this.#schemas.some((schema) => this.#isConditionOutdated(schema))) {
      this.#inBackground(() => this.#updateConditions());
    }
  }

  /** Whether the Dangling condition differs from the actual state. */
  #isConditionOutdated({ spec, status }: FlowSchema): boolean {
    const isDangling = !this.#levels.has(spec.priorityLevelConfiguration.name);
    const current = status.conditions?.find(({ type }) => type === 'Dangling');
    const { message, reason, status: value } = conditionOf(spec.priorityLevelConfiguration.name, isDangling);
    return current?.status !== value || current.reason !== reason || current.message !== message;
  }

  async #updateConditions(): Promise<void> {
    await Promise.all(
      this.#schemas
        .filter((schema) => this.#isConditionOutdated(schema))
        .map((schema) => this.#updateCondition(schema)),
    );
  }

  async #updateCondition({ metadata: { name = '', uid }, spec, status }: FlowSchema): Promise<void> {
    const api = this.#api;
    const resource = schemasOf(api);
    const level = spec.priorityLevelConfiguration.name;
    const condition = conditionOf(level, !this.#levels.has(level));
    const current = status.conditions?.find(({ type }) => type === 'Dangling');
    const value = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name, ...(uid !== undefined && { uid }) },
      status: {
        conditions: [
          {
            ...condition,
            // lastTransitionTime only moves with the status.
            lastTransitionTime:
              current?.status === condition.status && current.lastTransitionTime
                ? current.lastTransitionTime
                : timestamp(api.clock),
          },
        ],
      },
    };
    const target = { resource, namespace: '', name, subresource: 'status' };
    try {
      await apply(api, target, { value, duplicateKeys: [] }, conditionWrite, []);
    } catch (error) {
      // The schema was deleted or recreated: its change triggers another read.
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
