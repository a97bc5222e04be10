// Measures the cases of all resources. Every place of every kind is screened with a create of medium size; the costliest places
// of a kind then go through all verbs and formats, and whatever takes a noticeable turn is repeated with a body of maximum size.
import {
  type Case,
  casesOf,
  createCase,
  definitionsPath,
  deleteCase,
  type Fill,
  releaseRequest,
} from './cases.ts';
import { customDefinition, customPlurals } from './custom-resources.ts';
import { type Filling, fillings } from './fill-field.ts';
import type { MeasuredAnswer, MeasuredServer, Settling } from './measured-server.ts';
import { nameOfPlace, type Place, placesOf } from './places.ts';
import { profileOf } from './profile.ts';
import type { SentRequest } from './requests.ts';
import type { Result } from './result.ts';
import type { Subject, SubresourceSubject } from './subjects.ts';

/** The longest allowed turn. Milliseconds. */
export const limitMs = 50;
/** Bytes of the first attempt: a size that the server handles on its serving thread if it is too generous. */
const mediumBytes = 250_000;
/** A turn of this length, with a body of medium size, is measured with one of maximum size too. Milliseconds. */
const noticeableMs = 10;
/** At most this many cases of a place are repeated with maximum size: those with the longest turns. */
const mostRepeated = 8;
/** The shares of the bytes that are tried until the server stores the object. */
const storedShares = [1, 0.6, 0.35];
/** Attempts of a case above the limit: garbage collection may slow down one of them. */
const maxAttempts = 3;

/** Measurement after a response: controllers, the garbage collector and watchers work after a write. */
const afterRead: Settling = { minMs: 2, maxMs: 500 };
const afterWrite: Settling = { minMs: 25, maxMs: 3_000 };

export interface RunOptions {
  /** Cases to measure, by resource, verb and format. */
  readonly only: RegExp;
  /** Fields to fill. */
  readonly field: RegExp;
  readonly isQuick: boolean;
  readonly profiles: boolean;
  onResult(result: Result): void;
}

/** A screened place. */
interface Screened {
  readonly place: string;
  readonly filling: Filling;
  readonly code: number;
  readonly cost: number;
}

export class Runner {
  readonly #server: MeasuredServer;
  readonly #options: RunOptions;
  /** The cost of places that several kinds share, by signature. */
  readonly #known = new Map<string, number>();
  #names = 0;

  constructor(server: MeasuredServer, options: RunOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** Creates the CRDs of the custom resources. */
  async prepare(): Promise<void> {
    for (const plural of customPlurals) {
      const text = JSON.stringify(customDefinition(plural));
      const body = { subject: 'pods', format: 'json', filling: 'valid', name: '', bytes: 0, text } as const;
      const sent = {
        method: 'POST',
        path: definitionsPath,
        headers: { 'content-type': 'application/json' },
        body,
      };
      const answer = await this.#server.ask(sent, { minMs: 300, maxMs: 3_000 });
      if (answer?.code !== 201) throw new Error(`${plural}: ${answer?.text}`);
    }
  }

  async run(subject: Subject): Promise<void> {
    if (!casesOf(subject).some((each) => this.#isChosen(subject, each))) return;
    const screened = subject.verbs.includes('create') ? await this.#screen(subject) : [];
    const byCost = screened.toSorted((a, b) => b.cost - a.cost);
    const accepted = byCost.filter(({ code }) => code === 201 || code === 200);
    const labels = { place: 'metadata.labels', filling: 'valid' as const };
    await this.#runCases(subject, casesOf(subject), accepted[0] ?? labels);
    if (this.#options.isQuick) return;
    const second = accepted.find(({ place }) => place !== accepted[0]!.place);
    const rejected = byCost.find(({ code }) => code >= 400);
    for (const each of [second, rejected]) if (each) await this.#runCases(subject, jsonWrites(subject), each);
  }

  /** A dry-run create per place and filling. */
  async #screen(subject: Subject): Promise<Screened[]> {
    const screened: Screened[] = [];
    const create = casesOf(subject).find(({ verb }) => verb.startsWith('create'))!;
    const { field } = this.#options;
    const places = placesOf(subject.shape).filter((place) => field.test(nameOfPlace(place)));
    for (const place of places.filter((each) => this.#isWorthwhile(each))) {
      const isText = place.shape.is === 'string';
      for (const filling of isText ? (['wrong'] as const) : fillings) {
        const name = nameOfPlace(place);
        const fill = { place: name, filling, bytes: mediumBytes };
        const result = await this.#measure(subject, create, fill, newName(subject, 0));
        if (!result) continue;
        const cost = result.ms + result.elapsedMs / 10;
        this.#known.set(place.signature, Math.max(result.ms, this.#known.get(place.signature) ?? 0));
        screened.push({ place: name, filling, code: result.code, cost });
      }
    }
    return screened;
  }

  /** Kinds share structs such as PodSpec: a place of them is measured again only if it was costly, or is near the root. */
  #isWorthwhile({ path, shape, signature }: Place): boolean {
    const known = this.#known.get(signature);
    if (known === undefined) return !(this.#options.isQuick && (shape.is === 'string' || path.length > 3));
    if (shape.is === 'string') return false;
    // All kinds share ObjectMeta, and its code.
    if (path[0] === 'metadata' && path[1] !== 'labels') return false;
    return path.length <= 2 || known > limitMs / 2;
  }

  /** The cases, on an object of medium size; those with the longest turns, on one of maximum size too. */
  async #runCases(
    subject: Subject,
    cases: readonly Case[],
    filled: Pick<Screened, 'place' | 'filling'>,
  ): Promise<void> {
    const noticeable = await this.#runOnObject(subject, cases, { ...filled, bytes: mediumBytes }, 'delete');
    if (noticeable.length === 0) return;
    await this.#runOnObject(subject, noticeable, { ...filled, bytes: subject.maxBytes }, 'deletecollection');
  }

  /** Creates the object, runs the cases on it, and removes it. Resolves to the cases with a noticeable turn. */
  async #runOnObject(
    subject: Subject,
    cases: readonly Case[],
    fill: Fill,
    removal: 'delete' | 'deletecollection',
  ): Promise<Case[]> {
    const isStored = subject.verbs.includes('create') && subject.verbs.includes('delete');
    const chosen = cases.filter((each) => this.#isChosen(subject, each));
    if (chosen.length === 0) return [];
    const name = newName(subject, ++this.#names);
    const timed: { readonly case: Case; readonly ms: number }[] = [];
    const measure = async (each: Case) => {
      const result = await this.#measure(subject, each, fillFor(subject, each, fill), name);
      if (result) timed.push({ case: each, ms: result.ms });
    };
    // A create would find the name taken afterwards.
    const isCreate = ({ discoveryVerb, subresource }: Case) =>
      discoveryVerb === 'create' && subresource === '';
    for (const each of chosen.filter(isCreate)) await measure(each);
    if (isStored) await this.#store(subject, fill, name);
    for (const each of chosen.filter((each) => !isCreate(each))) await measure(each);
    if (isStored) await this.#remove(subject, fill, name, removal);
    return timed
      .filter(({ ms }) => ms >= noticeableMs)
      .sort((one, other) => other.ms - one.ms)
      .slice(0, mostRepeated)
      .map((each) => each.case);
  }

  /**
   * Stores the filled object: a smaller one if it is too large with its managedFields, the minimal one if the server rejects
   * that too.
   */
  async #store(subject: Subject, fill: Fill, name: string): Promise<void> {
    const create = createCase(subject);
    for (const share of storedShares) {
      const smaller = { ...fill, bytes: Math.floor(fill.bytes * share) };
      const result = await this.#measure(subject, create, smaller, name);
      if (result && result.code < 300) return;
    }
    const { body, ...sent } = create.request(fill, name);
    const { place: _, ...minimal } = body!;
    await this.#server.ask({ ...sent, body: minimal }, afterWrite);
  }

  async #remove(
    subject: Subject,
    fill: Fill,
    name: string,
    verb: 'delete' | 'deletecollection',
  ): Promise<void> {
    const served = subject.verbs.includes(verb) ? verb : 'delete';
    await this.#measure(subject, deleteCase(subject, served), fill, name);
    if (fill.place.includes('finalizers')) await this.#server.ask(releaseRequest(subject, name), afterWrite);
  }

  #isChosen({ id }: Subject, { verb, format }: Case): boolean {
    return this.#options.only.test(`${id} ${verb} ${format}`);
  }

  /** Resolves to undefined if the format cannot carry the body. */
  async #measure(subject: Subject, each: Case, fill: Fill, name: string): Promise<Result | undefined> {
    const settling = each.isStored ? afterWrite : afterRead;
    const sent = each.request(fill, name);
    const answer = await this.#server.ask(sent, settling);
    if (!answer) return undefined;
    let ms = longest(answer);
    // A repeated create or delete would find another state.
    const isRepeatable = each.verb !== 'create' && each.verb !== 'delete' && each.verb !== 'deletecollection';
    for (let tries = 1; tries < maxAttempts && ms > limitMs && isRepeatable; tries++) {
      ms = Math.min(ms, longest((await this.#server.ask(sent, settling))!));
    }
    const profile =
      ms > limitMs && this.#options.profiles && isRepeatable ? await this.#profile(sent, settling) : '';
    const result: Result = {
      resource: subject.id,
      verb: each.verb,
      format: each.format,
      place: fill.place,
      filling: fill.filling,
      bytes: Math.max(answer.sentBytes, answer.receivedBytes),
      code: answer.code,
      ms,
      elapsedMs: answer.elapsedMs,
      isLater: answer.laterTurn > answer.turn,
      profile,
      text: answer.code >= 400 ? answer.text : '',
    };
    this.#options.onResult(result);
    return result;
  }

  #profile(sent: SentRequest, settling: Settling): Promise<string> {
    return profileOf(() => this.#server.ask(sent, settling));
  }
}

/** Creates, updates and patches in JSON, and applied configurations. */
const jsonWrites = (subject: Subject) =>
  casesOf(subject).filter(
    ({ verb, discoveryVerb, subresource, format }) =>
      subresource === '' &&
      ['create', 'update', 'patch'].includes(discoveryVerb) &&
      (format === 'json' || verb === 'patch apply yaml'),
  );

const longest = ({ turn, laterTurn }: MeasuredAnswer) => Math.max(turn, laterTurn);

/** The name of the object number `index`. */
const newName = ({ fixedName }: Subject, index: number) => fixedName ?? `turns${index}`;

/** Subresources of another kind, and status, have places of their own. */
function fillFor(subject: Subject, { subresource }: Case, fill: Fill): Fill {
  const found = subject.subresources.find(({ name }) => name === subresource);
  if (!found || found.isConnect) return fill;
  return { place: placeOfSubresource(subject, found), filling: 'valid', bytes: fill.bytes };
}

function placeOfSubresource({ kind }: Subject, subresource: SubresourceSubject): string {
  const places = placesOf(subresource.shape);
  const isRepeated = ({ shape }: Place) => shape.is === 'list' || shape.is === 'map';
  const own = places.filter((place) => isRepeated(place) && place.path[0] !== 'metadata');
  const inStatus = own.find(({ path }) => path[0] === 'status');
  const best = subresource.kind === kind ? (inStatus ?? own[0]) : own[0];
  return best ? nameOfPlace(best) : 'metadata.labels';
}
