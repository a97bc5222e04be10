import type { Json, JsonObject } from './case.ts';
import type { Replay } from './replay.ts';

/**
 * The addresses and node ports that a server allocated: those in responses before any request of the case named them.
 * Values that the client requested are compared as they are.
 */
export class ChosenValues {
  readonly #symbols = new Map<string, string>();
  #inText: RegExp | undefined;

  constructor({ requests }: Replay, answers: Json[][]) {
    let asked = '';
    for (const [index, documents] of answers.entries()) {
      asked += `${requests[index]?.body?.toString() ?? ''} `;
      for (const document of documents) this.#learn(document, asked, index + 1);
    }
    const values = [...this.#symbols.keys()].map((value) => value.replaceAll('.', '\\.'));
    // Within a uid the digits of a port would be part of a longer word.
    if (values.length > 0) {
      this.#inText = new RegExp(`(?<![\\w.-])(?:${values.join('|')})(?![\\w-])`, 'g');
    }
  }

  rewriteText(text: string): string {
    return this.#inText ? text.replaceAll(this.#inText, (value) => this.#symbols.get(value) ?? value) : text;
  }

  /** A field that holds a port as a number. */
  rewritePort(port: number): Json {
    return this.#symbols.get(`${port}`) ?? port;
  }

  #learn(value: Json, asked: string, answer: number): void {
    if (Array.isArray(value)) for (const item of value) this.#learn(item, asked, answer);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const { spec } = value;
    if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) {
      this.#learnService(spec, asked, answer);
    }
    for (const item of Object.values(value)) this.#learn(item, asked, answer);
  }

  #learnService(spec: JsonObject, asked: string, answer: number): void {
    const addresses = Array.isArray(spec.clusterIPs) ? spec.clusterIPs : [];
    for (const address of addresses) {
      if (typeof address !== 'string' || !/^\d+\.\d+\.\d+\.\d+$/.test(address)) continue;
      // A dry run returns the network address of one of the ranges; other cases may have added some.
      if (address.endsWith('.0') && !asked.includes(address)) this.#symbols.set(address, '<network>');
      else this.#name(address, asked, `ip#${answer}`);
    }
    const ports = Array.isArray(spec.ports) ? spec.ports.map(nodePortOf) : [];
    for (const port of [...ports, spec.healthCheckNodePort]) {
      if (typeof port === 'number' && port >= 30_000 && port <= 32_767) {
        this.#name(`${port}`, asked, `port#${answer}`);
      }
    }
  }

  #name(value: string, asked: string, symbol: string): void {
    if (this.#symbols.has(value) || asked.includes(value)) return;
    const alike = [...this.#symbols.values()].filter((other) => other.split('.')[0] === symbol).length;
    this.#symbols.set(value, alike === 0 ? symbol : `${symbol}.${alike + 1}`);
  }
}

function nodePortOf(port: Json): Json {
  return typeof port === 'object' && port !== null && !Array.isArray(port) ? (port.nodePort ?? null) : null;
}
