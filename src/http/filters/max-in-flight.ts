import { mastersGroup } from '../../request/authenticator.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Exchange, Seat } from '../../transport/exchange.ts';

export type FlowClass = 'readOnly' | 'mutating';

/** Verbs and subresources whose requests last as long as the client likes: no deadline and no place in the count. */
const longRunningVerbs = new Set(['watch', 'proxy']);
const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

export function isLongRunning(info: RequestInfo): boolean {
  return (
    info.isResource && (longRunningVerbs.has(info.verb) || longRunningSubresources.has(info.subresource))
  );
}

export function flowClass(info: RequestInfo): FlowClass {
  return info.verb === 'get' || info.verb === 'list' || info.verb === 'watch' ? 'readOnly' : 'mutating';
}

/** How many requests are worked on at once. 0 for a limit is no limit. */
export class InFlight {
  readonly #limits: Readonly<Record<FlowClass, number>>;
  readonly #current: Record<FlowClass, number> = { readOnly: 0, mutating: 0 };
  readonly #seats: Readonly<Record<FlowClass, Seat>> = {
    readOnly: { release: () => this.#current.readOnly-- },
    mutating: { release: () => this.#current.mutating-- },
  };

  constructor(limits: Readonly<Record<FlowClass, number>>) {
    this.#limits = limits;
  }

  /**
   * Takes a place, unless all are taken: then come back after so many seconds. Masters always get one: they are who
   * repairs an overloaded server.
   */
  admit({ info, user }: Pick<Exchange, 'info' | 'user'>): Seat | number {
    const flow = flowClass(info);
    const limit = this.#limits[flow];
    if (limit > 0 && this.#current[flow] >= limit && !user.groups.includes(mastersGroup)) return 1;
    this.#current[flow]++;
    return this.#seats[flow];
  }

  current(flow: FlowClass): number {
    return this.#current[flow];
  }
}
