// API Priority and Fairness: follows the stored configuration, and maintains the Dangling condition of FlowSchemas.
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import type { PriorityLevelConfiguration } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import { type Clock, every, timestamp } from '../base/clock.ts';
import type { Client, Manifest } from '../client/client.ts';
import type { Informer } from '../client/informer.ts';
import type { Informers } from '../client/informers.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { quote } from '../errors/quote.ts';
import { ApiError } from '../errors/status.ts';
import type { Logger } from '../telemetry/log.ts';
import { ensureBootstrapConfiguration, flowSchemas, priorityLevels } from './bootstrap-configuration.ts';
import type { FlowControl } from './flow-control.ts';

/** Interval at which mandatory and suggested objects are restored. */
const repairMs = 60_000;

const manager = 'api-priority-and-fairness-config-consumer-v1';

export interface ConfigControllerContext {
  readonly client: Client;
  readonly informers: Informers;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined if priority and fairness is disabled: the objects are maintained all the same. */
  readonly flow: Pick<FlowControl, 'configure'> | undefined;
  /** The bootstrap configuration exists already. */
  readonly isPrepared?: boolean;
  /** Another thread of the server maintains the objects. */
  readonly isFollower?: boolean;
}

/** Applies stored FlowSchemas and PriorityLevelConfigurations, and writes whether each schema's level exists. */
export class ConfigController {
  readonly #context: ConfigControllerContext;
  readonly #schemaInformer: Informer<FlowSchema>;
  readonly #levelInformer: Informer<PriorityLevelConfiguration>;
  #schemas: readonly FlowSchema[] = [];
  /** The names of the stored priority levels. */
  #levels: ReadonlySet<string> = new Set();
  #stopRepair: (() => void) | undefined;
  /** A change was seen that is not applied yet. */
  #isStale = false;
  #closed = false;
  /** Writes run one after the other, without blocking the informers' callbacks; this settles with the last one. */
  #backgroundWork: Promise<void> = Promise.resolve();

  constructor(context: ConfigControllerContext) {
    this.#context = context;
    const applySoon = () => this.#applySoon();
    const handlers = { onAdd: applySoon, onUpdate: applySoon, onDelete: applySoon };
    this.#schemaInformer = context.informers.informer(flowSchemas, handlers);
    this.#levelInformer = context.informers.informer(priorityLevels, handlers);
  }

  /** Called before requests are served. */
  async start(): Promise<void> {
    const { isPrepared, isFollower, clock, flow } = this.#context;
    if (!isPrepared && !isFollower) await this.#ensureConfiguration();
    if (!isFollower) {
      this.#stopRepair = every(clock, repairMs, () => this.#inBackground(() => this.#ensureConfiguration()));
    }
    if (!flow) return;
    this.#watch();
    this.#applyStored();
    await this.#backgroundWork;
  }

  /** The store was restored to another state. */
  reset(): void {
    if (!this.#context.flow) return;
    this.#schemaInformer.reset();
    this.#levelInformer.reset();
    this.#watch();
    this.#applySoon();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#schemaInformer.close();
    this.#levelInformer.close();
    this.#stopRepair?.();
    await this.#backgroundWork;
  }

  #watch(): void {
    this.#schemaInformer.watch();
    this.#levelInformer.watch();
  }

  #ensureConfiguration(): Promise<void> {
    const { client, dialect } = this.#context;
    const listers = { schemas: this.#schemaInformer, levels: this.#levelInformer };
    return ensureBootstrapConfiguration({ client, dialect, ...listers });
  }

  /**
   * Applies the configuration once for all changes that become visible together. A follower applies each at once: the request
   * that made it catch up is classified before any microtask runs.
   */
  #applySoon(): void {
    if (this.#context.isFollower) {
      this.#applyStored();
      return;
    }
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale && !this.#closed) this.#applyStored();
    });
  }

  #applyStored(): void {
    this.#isStale = false;
    try {
      // Corrupt objects are left out, so that they do not keep the others from taking effect.
      const levels = this.#levelInformer.list().flatMap((level) => level.tryDecode() ?? []);
      this.#schemas = this.#schemaInformer.list().flatMap((schema) => schema.tryDecode() ?? []);
      this.#levels = new Set(levels.map(({ metadata }) => metadata.name ?? ''));
      this.#context.flow?.configure(this.#schemas, levels);
    } catch (error) {
      this.#context.logger.error(
        { err: error },
        'failed to read the priority and fairness configuration, keeping the previous one',
      );
      return;
    }
    if (this.#context.isFollower) return;
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
    const { client, clock } = this.#context;
    const { apiVersion, kind } = this.#schemaInformer.resource;
    const level = spec.priorityLevelConfiguration.name;
    const condition = conditionOf(level, !this.#levels.has(level));
    const current = status.conditions?.find(({ type }) => type === 'Dangling');
    const configuration: Manifest = {
      apiVersion,
      kind,
      metadata: { name, ...(uid !== undefined && { uid }) },
      status: {
        conditions: [
          {
            ...condition,
            // lastTransitionTime only moves with the status.
            lastTransitionTime:
              current?.status === condition.status && current.lastTransitionTime
                ? current.lastTransitionTime
                : timestamp(clock),
          },
        ],
      },
    };
    try {
      await client.apply(this.#schemaInformer, configuration, { subresource: 'status', manager });
    } catch (error) {
      // The schema was deleted or recreated: its change applies the configuration again.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #inBackground(work: () => Promise<void>): void {
    this.#backgroundWork = this.#backgroundWork
      .then(() => (this.#closed ? undefined : work()))
      .catch((error: unknown) => {
        this.#context.logger.warn({ err: error }, 'failed to write the priority and fairness configuration');
      });
  }
}

function conditionOf(level: string, isDangling: boolean) {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${quote(level)}`;
  return isDangling
    ? {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${reference} but there is no such object`,
      }
    : { type: 'Dangling', status: 'False', reason: 'Found', message: `${reference} and it exists` };
}
