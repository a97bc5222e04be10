import { after } from 'node:test';
import type { ServerOptions } from '../../src/server/options.ts';
import { quickly, type TimedResult } from './event-loop-limits.ts';
import type { Sent } from './loop-client.ts';
import { MeasuredLoop, type MeasuredResponse } from './measured-loop.ts';
import { RealServer } from './real-server.ts';

export const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
export const objectsOf = (plural: string) => `/apis/example.com/v1/namespaces/default/${plural}`;
const kindOf = (plural: string) => `${plural[0]!.toUpperCase()}${plural.slice(1)}`;

export interface Kind {
  /** The schema, or its text if it is too deep for JSON.stringify. */
  readonly schema: object | string;
  /** Further fields of the version. */
  readonly version?: object;
}

export interface CreatedDefinition extends MeasuredResponse {
  readonly plural: string;
}

/** A server on which CRDs and custom resources are created, with measured turns of the event loop. */
export class HostileDefinitions {
  readonly server: RealServer;
  #loop: MeasuredLoop | undefined;
  #made = 0;
  /** The longest turn by an ordinary object. */
  #usual = 0;

  constructor(options: Partial<ServerOptions> = {}) {
    // With a worker thread, as `orch serve` and `orch dev` have them.
    this.server = new RealServer({ verbosity: 0, writeThreads: 1, ...options }, async (server) => {
      this.#loop = new MeasuredLoop(server);
      // Warms up caches before the first measurement.
      const schema = spec({ type: 'string', pattern: '^a', ...rules('self != "x"') });
      await this.define({ schema });
      const { plural } = await this.define({ schema });
      for (let i = 0; i < 20; i++) this.#usual = (await this.make(plural, { spec: 'ab' })).turn;
    });
    after(() => this.#loop?.stop());
  }

  readonly ask = (request: Partial<Sent>): Promise<MeasuredResponse> => this.#loop!.ask(request);

  /** Creates a CRD, and waits until its objects are served if it is accepted. */
  readonly define = async ({ schema, version = {} }: Kind): Promise<CreatedDefinition> => {
    const plural = `hostile${this.#made++}s`;
    const body = this.writeDefinition(plural, { schema, version });
    const answer = await this.ask({ method: 'POST', path: definitions, body });
    let { turn } = answer;
    for (let isServed = answer.code !== 201; !isServed; ) {
      const result = await this.ask({ path: `${objectsOf(plural)}?limit=1` });
      isServed = result.code === 200;
      turn = Math.max(turn, result.turn);
    }
    return { ...answer, plural, turn };
  };

  readonly make = (plural: string, content: object | string, query = ''): Promise<MeasuredResponse> => {
    const body = this.write(plural, `o${this.#made++}`, content);
    return this.ask({ method: 'POST', path: objectsOf(plural) + query, body });
  };

  /** The JSON of a CRD. */
  writeDefinition(plural: string, { schema, version = {} }: Kind): string {
    const openAPIV3Schema = typeof schema === 'string' ? 'THE SCHEMA' : schema;
    const text = JSON.stringify({
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        names: { plural, kind: kindOf(plural) },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      },
    });
    return typeof schema === 'string' ? text.replace('"THE SCHEMA"', schema) : text;
  }

  /** The JSON of an object: its content, or the text of it, with the usual metadata. */
  write(plural: string, name: string, content: object | string): string {
    const head = JSON.stringify({ apiVersion: 'example.com/v1', kind: kindOf(plural), metadata: { name } });
    const rest = typeof content === 'string' ? content : JSON.stringify(content).slice(1, -1);
    return rest === '' ? head : `${head.slice(0, -1)},${rest}}`;
  }

  readonly isQuick = <T extends TimedResult>(attempt: () => Promise<T>): Promise<T> =>
    quickly(this.#longestTurn, attempt);

  /** The maximum length of a turn, relative to the speed of this machine. */
  get #longestTurn(): number {
    return 50 + 10 * this.#usual;
  }
}

export const times = <T>(count: number, of: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => of(i));
export const fields = <T>(count: number, of: (i: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (i) => [`f${i}`, of(i)]));
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
export const spec = (schema: object) => object({ spec: schema });
export const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
export const rules = (...texts: string[]) => ({ 'x-orch-validations': texts.map((rule) => ({ rule })) });
export const anything = { type: 'object', 'x-orch-preserve-unknown-fields': true };
