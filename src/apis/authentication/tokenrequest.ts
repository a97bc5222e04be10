// TokenRequest: the subresource `token` of ServiceAccounts, which issues a token.

import { timestamp } from '../../base/clock.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { badRequest, conflict, invalidObject, notFound } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Action, ActionRequest } from '../../kind/definition.ts';
import type { ObjectReader } from '../../kind/hooks.ts';
import { kind } from '../../kind/meta/kind.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import type { TokenParameters } from '../../request/token-issuer.ts';
import { list } from '../../schema/collections.ts';
import { int64, named, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const BoundObjectReference = struct(
  'authentication/v1.BoundObjectReference',
  {
    kind: field(1, string, { doc: 'Pod, Secret or Node.' }),
    apiVersion: field(2, string, { doc: 'The API version of the object.' }),
    name: field(3, string, { doc: 'The name of the object.' }),
    uid: field(4, named('types.UID', string), {
      doc: 'The UID of the object. Defaults to that of the existing object.',
    }),
  },
  {
    doc: 'A reference to the object that a token is bound to. The token is invalid once the object is deleted.',
  },
);
type BoundObjectReference = Infer<typeof BoundObjectReference>;

const defaultExpirationSeconds = 60 * 60;

const TokenRequestSpec = struct(
  'authentication/v1.TokenRequestSpec',
  {
    audiences: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The intended audiences of the token. Recipients must verify that they are among them. Defaults to the API server.',
    }),
    expirationSeconds: field(4, optional(int64), {
      omitEmpty: false,
      default: defaultExpirationSeconds,
      doc: 'The requested lifetime of the token in seconds, at least 600. Defaults to 3600.',
    }),
    boundObjectRef: field(3, optional(BoundObjectReference), {
      omitEmpty: false,
      doc: 'The object that the token is bound to.',
    }),
  },
  { doc: 'The specification of the requested token.' },
);

const TokenRequestStatus = struct(
  'authentication/v1.TokenRequestStatus',
  {
    token: field(1, string, { required: true, doc: 'The issued token.' }),
    expirationTimestamp: field(2, time, { required: true, doc: 'When the token expires.' }),
  },
  { doc: 'The issued token.' },
);

export const TokenRequest = kind(
  'authentication/v1.TokenRequest',
  {
    spec: field(2, TokenRequestSpec, { required: true, doc: 'The specification of the requested token.' }),
    status: field(3, TokenRequestStatus, { doc: 'The issued token.' }),
  },
  { doc: 'Requests a token of a service account.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;

const minExpirationSeconds = 10 * 60;
const maxExpirationSeconds = 2 ** 32;
/** Requested for pods whose clients may not reload tokens yet (upstream: WarnOnlyBoundTokenExpirationPeriod). */
const warnOnlyBoundTokenExpirationSeconds = 60 * 60 + 7;
/** The actual lifetime of such a token; its status reports the requested one, whose end the claim `warnafter` holds. */
const extendedExpirationSeconds = 365 * 24 * 60 * 60;

/** `serviceaccounts/{name}/token`: issues a token of the service account. */
export const tokenAction: Action = {
  group: 'authentication',
  version: 'v1',
  kind: 'TokenRequest',
  schema: TokenRequest,
  prepare({ clock, target }, { metadata }) {
    metadata.name ||= target.name;
    metadata.creationTimestamp = timestamp(clock);
  },
  async perform(request, object) {
    const { objects, tokens, target, clock, dialect } = request;
    const tokenRequest = object as TokenRequest;
    ensureNamespaceMatches(target, tokenRequest);
    validateTokenRequestName(request, tokenRequest);
    const account = objects.get(target);
    if (!account) throw notFound(target.subject, target.name);
    validateTokenRequestSpec(request, tokenRequest);
    const { spec } = tokenRequest;
    const boundObjects = spec.boundObjectRef && getBoundObject(request, spec.boundObjectRef);
    const audiences = spec.audiences?.length ? spec.audiences : [...tokens.audiences];
    const expirationSeconds = limitExpiration(request, spec.expirationSeconds ?? defaultExpirationSeconds);
    const isExtended =
      tokens.extendExpiration &&
      boundObjects?.pod !== undefined &&
      expirationSeconds === warnOnlyBoundTokenExpirationSeconds &&
      audiences.every((audience) => tokens.audiences.includes(audience));
    const issuedAt = Math.floor(clock.now() / 1000);
    const { text, id } = tokens.issue({
      namespace: target.namespace,
      account: { name: target.name, uid: account.metadata.uid! },
      audiences,
      ...boundObjects,
      issuedAt,
      expiresAt: issuedAt + (isExtended ? extendedExpirationSeconds : expirationSeconds),
      ...(isExtended && { warnAfter: issuedAt + expirationSeconds }),
    });
    request.annotate(dialect.annotations.issuedCredentialId, `JTI=${id}`);
    const { uid: _uid, ...metadata } = tokenRequest.metadata;
    return {
      ...tokenRequest,
      metadata: {
        ...metadata,
        name: target.name,
        creationTimestamp: formatSeconds(issuedAt),
      },
      spec: { ...spec, audiences, expirationSeconds },
      status: { token: text, expirationTimestamp: formatSeconds(issuedAt + expirationSeconds) },
    };
  },
};

const formatSeconds = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

function validateTokenRequestName({ dialect, target }: ActionRequest, { metadata }: TokenRequest): void {
  if (metadata.name && metadata.name !== target.name) {
    const detail = 'must match the service account name if specified';
    throw invalidObject(subjectOf(dialect), target.name, [invalid('metadata.name', metadata.name, detail)]);
  }
}

const subjectOf = (dialect: Dialect) => ({
  group: dialect.groupName('authentication'),
  kind: 'TokenRequest',
});

function validateTokenRequestSpec({ dialect }: ActionRequest, { spec }: TokenRequest): void {
  const errors: FieldError[] = [];
  const { expirationSeconds: seconds = defaultExpirationSeconds } = spec;
  const path = 'spec.expirationSeconds';
  if (seconds < minExpirationSeconds)
    errors.push(invalid(path, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > maxExpirationSeconds)
    errors.push(invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (errors.length > 0) throw invalidObject(subjectOf(dialect), '', errors);
}

/** Shortens the requested lifetime to the maximum, with a warning. */
function limitExpiration({ tokens, warnings }: ActionRequest, requestedSeconds: number): number {
  const hasMaximum = tokens.maxExpirationSeconds > 0;
  if (!hasMaximum || requestedSeconds <= tokens.maxExpirationSeconds) return requestedSeconds;
  warnings.push(
    `requested expiration of ${requestedSeconds} seconds shortened to ${tokens.maxExpirationSeconds} seconds`,
  );
  return tokens.maxExpirationSeconds;
}

type BoundObjects = Pick<TokenParameters, 'pod' | 'secret' | 'node'>;

const plurals: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

/** Looks up the Pod, Secret or Node that the token is bound to. The version in the reference's apiVersion is ignored. */
function getBoundObject(request: ActionRequest, reference: BoundObjectReference): BoundObjects {
  const { objects, target } = request;
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference;
  const [group, version] = parseGroupVersion(apiVersion);
  const plural = group === '' && Object.hasOwn(plurals, kind) ? plurals[kind]! : undefined;
  if (plural === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const boundObject = getCoreObject(objects, plural, kind === 'Node' ? '' : target.namespace, name);
  if (!boundObject) throw notFound({ group: '', resource: plural }, name);
  const pod =
    kind === 'Pod' ? (boundObject.spec as { nodeName?: string; serviceAccountName?: string }) : undefined;
  if (pod && (pod.serviceAccountName || 'default') !== target.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(target.name)} to pod running with different serviceaccount name.`,
    );
  }
  const actualUid = boundObject.metadata.uid!;
  if (uid !== '' && uid !== actualUid) {
    const detail = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: kind }, name, detail);
  }
  const nameAndUid = { name, uid: actualUid };
  if (kind === 'Secret') return { secret: nameAndUid };
  if (pod === undefined) return { node: nameAndUid };
  return { pod: nameAndUid, ...(pod.nodeName && { node: nodeParameters(objects, pod.nodeName) }) };
}

/** Splits an apiVersion; one that cannot be parsed gives an empty group and version. */
function parseGroupVersion(apiVersion: string): [group: string, version: string] {
  const [first = '', second, ...furtherParts] = apiVersion.split('/');
  if (furtherParts.length > 0) return ['', ''];
  return second === undefined ? ['', first] : [first, second];
}

function nodeParameters(objects: ObjectReader, name: string): NonNullable<TokenParameters['node']> {
  const uid = getCoreObject(objects, 'nodes', '', name)?.metadata.uid;
  return { name, ...(uid !== undefined && { uid }) };
}

function getCoreObject(
  objects: ObjectReader,
  plural: string,
  namespace: string,
  name: string,
): ApiObject | undefined {
  return objects.get({ group: '', version: 'v1', plural, namespace, name });
}
