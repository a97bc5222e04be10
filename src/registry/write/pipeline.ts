import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { type ApplyType, readIntent } from '../../patch/read-intent.ts';
import { type PatchType, readPatch } from '../../patch/read-patch.ts';
import type { SentBody } from '../../serializers/sent-body.ts';
import type { Api, Target } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { apply } from '../verbs/apply.ts';
import { create } from '../verbs/create.ts';
import { patch } from '../verbs/patch.ts';
import { type Updated, update } from '../verbs/update.ts';
import { parseBody, readParsed } from './decode.ts';

/** A write as a client asks for it, not yet looked into. */
export interface WriteRequest {
  readonly target: Target;
  readonly options: WriteOptions;
  readonly sent: Sent;
  readonly hearer?: Hearer;
}

/** Hears of an object that is sent whole, before anything is done to it. */
interface Hearer {
  hear(object: ApiObject): void;
  /** Names and versions in its metadata would not do. */
  readonly wantsAll: boolean;
}

/** What a client sends to be written, and how. */
export type Sent =
  | { readonly verb: 'create' | 'update'; readonly body: SentBody }
  | { readonly verb: 'patch'; readonly type: PatchType; readonly source: Buffer }
  | { readonly verb: 'apply'; readonly type: ApplyType; readonly source: Buffer };

/** Carries a write out. */
export async function executeWrite(api: Api, request: WriteRequest, warnings: string[]): Promise<Updated> {
  const { target, options, sent, hearer } = request;
  const { fieldValidation } = options;
  /** What is large is read in more than one turn. */
  const read = async (body: SentBody, said: string[]) => {
    const { resource } = target;
    const turns = new CooperativeYield();
    const parsed = parseBody(resource, body);
    const afterParsing = turns.next();
    if (afterParsing) await afterParsing;
    const incoming = readParsed(api.registry, resource, body, parsed, fieldValidation, said);
    hearer?.hear(incoming.object);
    const afterReading = turns.next();
    if (afterReading) await afterReading;
    return incoming;
  };
  switch (sent.verb) {
    case 'create': {
      const created = await read(sent.body, warnings);
      return { object: await create(api, target, created, options, warnings), created: true };
    }
    case 'update': {
      let said = warnings;
      const readAgain = () => {
        const reading = read(sent.body, said);
        said = [];
        return reading;
      };
      return update(api, target, readAgain, options, warnings);
    }
    case 'patch': {
      const change = readPatch(sent.type, sent.source, fieldValidation === 'Ignore');
      return { object: await patch(api, target, change, options, warnings), created: false };
    }
    case 'apply':
      return apply(api, target, readIntent(sent.type, sent.source), options, warnings);
  }
}
