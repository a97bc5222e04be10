import type { BoundTo } from '../../auth/service-account-tokens.ts';
import { badRequest, conflict, invalidObject, notFound } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { existing } from '../../resource/api.ts';
import { decodeStored } from '../../resource/codec.ts';
import type { Action, ActionRequest, ApiObject } from '../../resource/definition.ts';
import { list } from '../../schema/collections.ts';
import { int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { kind } from '../meta/kind.ts';

export const BoundObjectReference = struct(
  'authentication/v1.BoundObjectReference',
  {
    kind: field(1, string, { doc: 'Pod, Secret or Node.' }),
    apiVersion: field(2, string, { doc: 'The version of the kind.' }),
    name: field(3, string, { doc: 'Which one.' }),
    uid: field(4, named('types.UID', string), { doc: 'Its uid. Without it, that of the one there is.' }),
  },
  { doc: 'What a token is bound to: it is good only as long as that is there.' },
);
export type BoundObjectReference = Infer<typeof BoundObjectReference>;

export const TokenRequestSpec = struct(
  'authentication/v1.TokenRequestSpec',
  {
    audiences: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'Whom the token is meant for. Others must not take it. Without any, this server.',
    }),
    expirationSeconds: field(4, optional(int64), {
      alwaysWritten: true,
      default: 3600,
      doc: 'How long it is to be good for: an hour if nothing is said, ten minutes at least.',
    }),
    boundObjectRef: field(3, optional(BoundObjectReference), {
      alwaysWritten: true,
      doc: 'What it is bound to.',
    }),
  },
  { doc: 'The token that is wanted.' },
);
export type TokenRequestSpec = Infer<typeof TokenRequestSpec>;

export const TokenRequestStatus = struct(
  'authentication/v1.TokenRequestStatus',
  {
    token: field(1, string, { required: true, doc: 'The token.' }),
    expirationTimestamp: field(2, time, { required: true, doc: 'Until when it is good.' }),
  },
  { doc: 'The token that was made.' },
);
export type TokenRequestStatus = Infer<typeof TokenRequestStatus>;

export const TokenRequest = kind(
  'authentication/v1.TokenRequest',
  {
    spec: field(2, TokenRequestSpec, { required: true, doc: 'The token that is wanted.' }),
    status: field(3, TokenRequestStatus, { doc: 'The token that was made.' }),
  },
  { doc: 'Asks for a token of a service account.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;

const shortest = 10 * 60;
const longest = 2 ** 32;

/** `serviceaccounts/{name}/token` */
export const tokenAction: Action = {
  group: 'authentication',
  version: 'v1',
  kind: 'TokenRequest',
  schema: TokenRequest,
  async perform(request, object) {
    const { api, target } = request;
    const asked = object as TokenRequest;
    refuseIfWrong(request, asked);
    const account = decodeStored(target.resource, existing(api, target));
    const { spec } = asked;
    const audiences = spec.audiences?.length ? spec.audiences : [...api.tokens.audiences];
    const issuedAt = Math.floor(api.clock.now() / 1000);
    const expiresAt = issuedAt + (spec.expirationSeconds ?? 3600);
    const token = api.tokens.issue({
      namespace: target.namespace,
      serviceAccount: { name: target.name, uid: account.metadata.uid! },
      audiences,
      ...(spec.boundObjectRef && bound(request, spec.boundObjectRef)),
      issuedAt,
      expiresAt,
    });
    return {
      ...asked,
      metadata: {
        name: target.name,
        namespace: target.namespace,
        creationTimestamp: secondsText(issuedAt),
      },
      spec: { ...spec, audiences },
      status: { token, expirationTimestamp: secondsText(expiresAt) },
    };
  },
};

const secondsText = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

function refuseIfWrong({ api, target }: ActionRequest, { metadata, spec }: TokenRequest): void {
  const subject = { group: api.dialect.groupName('authentication'), kind: 'TokenRequest' };
  if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (metadata.name && metadata.name !== target.name) {
    const why = 'must match the service account name if specified';
    throw invalidObject(subject, target.name, [invalid('metadata.name', metadata.name, why)]);
  }
  const errors: FieldError[] = [];
  const { expirationSeconds: seconds = 3600 } = spec;
  const path = 'spec.expirationSeconds';
  if (seconds < shortest)
    errors.push(invalid(path, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > longest)
    errors.push(invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (errors.length > 0) throw invalidObject(subject, '', errors);
}

/** What the token is bound to, as it is now. */
function bound(
  { api, target }: ActionRequest,
  { kind: wanted = '', apiVersion = '', name = '', uid = '' }: BoundObjectReference,
): { pod?: BoundTo; secret?: BoundTo; node?: BoundTo } {
  const plurals: Record<string, string> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };
  const plural = apiVersion === 'v1' && Object.hasOwn(plurals, wanted) ? plurals[wanted]! : undefined;
  if (plural === undefined) {
    const slash = apiVersion.indexOf('/');
    const [group, version] =
      slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${wanted}`);
  }
  const found = lookUp(api, plural, target.namespace, name);
  if (!found) throw notFound({ group: '', resource: plural }, name);
  const own = found.metadata.uid!;
  if (uid !== '' && uid !== own) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: plural }, name, why);
  }
  const reference = { name, uid: own };
  if (wanted === 'Secret') return { secret: reference };
  if (wanted === 'Node') return { node: reference };
  const { nodeName } = found.spec as { nodeName?: string };
  const node = nodeName ? lookUp(api, 'nodes', '', nodeName) : undefined;
  return {
    pod: reference,
    ...(node && { node: { name: nodeName!, uid: node.metadata.uid! } }),
  };
}

function lookUp(
  api: ActionRequest['api'],
  plural: string,
  namespace: string,
  name: string,
): ApiObject | undefined {
  const resource = api.registry.kind('', 'v1', plural);
  const stored = api.store.get(resource.key(namespace, name));
  return stored && decodeStored(resource, stored);
}
