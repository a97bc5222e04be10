// CEL authorizer library of Kubernetes: authorization checks in expressions.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import { type CallCost, listCost, structCost } from '../cost/call-cost.ts';
import { fixed, nominal, sizeOf, traversalCost, traversalCostRange } from '../cost/models.ts';
import { exactly, plus, scaled } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { CelObject, type CelType, struct } from '../types.ts';

/** The attributes of an authorization check. */
export interface AuthorizationQuery {
  readonly verb: string;
  /** The check is for this service account instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  /** A non-resource path; the other attributes are then empty. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** The authorizer that the host provides. */
export interface AuthorizerHost {
  authorize(query: AuthorizationQuery): AuthorizationAnswer;
}

export const authorizerType = struct('service.authorization.Authorizer');
const pathCheckType = struct('service.authorization.PathCheck');
const groupCheckType = struct('service.authorization.GroupCheck');
export const resourceCheckType = struct('service.authorization.ResourceCheck');
const decisionType = struct('service.authorization.Decision');

/** A check under construction: each function of the library adds an attribute. */
class AuthorizationCheck extends CelObject {
  readonly host: AuthorizerHost;
  readonly query: Omit<AuthorizationQuery, 'verb'>;
  readonly #type: CelType;

  constructor(type: CelType, host: AuthorizerHost, query: Omit<AuthorizationQuery, 'verb'>) {
    super();
    this.#type = type;
    this.host = host;
    this.query = query;
  }

  override get type(): CelType {
    return this.#type;
  }

  override equals(other: unknown): boolean {
    return (
      other instanceof AuthorizationCheck &&
      other.type === this.type &&
      other.host === this.host &&
      JSON.stringify(other.query) === JSON.stringify(this.query)
    );
  }

  with(type: CelType, attributes: Partial<AuthorizationQuery>): AuthorizationCheck {
    return new AuthorizationCheck(type, this.host, { ...this.query, ...attributes });
  }
}

class Decision extends CelObject {
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }

  override get type(): CelType {
    return decisionType;
  }

  override equals(other: unknown): boolean {
    return (
      other instanceof Decision &&
      other.answer.allowed === this.answer.allowed &&
      other.answer.reason === this.answer.reason &&
      other.answer.error === this.answer.error
    );
  }
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (host: AuthorizerHost): CelObject =>
  new AuthorizationCheck(authorizerType, host, {});

/** The value of `authorizer.requestResource`: a check for the resource of the request. */
export const requestResourceValue = (
  host: AuthorizerHost,
  resource: Pick<AuthorizationQuery, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): CelObject => new AuthorizationCheck(resourceCheckType, host, resource);

function nonEmpty(text: string, attribute: string): string {
  return text.trim() === '' ? fail(`${attribute} must not be empty`) : text;
}

function asServiceAccount(check: AuthorizationCheck, namespace: string, name: string): AuthorizationCheck {
  if (dnsSubdomain(name).length > 0) return fail('Invalid service account name');
  if (dnsLabel(namespace).length > 0) return fail('Invalid service account namespace');
  return check.with(authorizerType, { serviceAccount: { namespace, name } });
}

const authorize = ({ host, query }: AuthorizationCheck, verb: string) =>
  new Decision(host.authorize({ ...query, verb }));

/** High, since the authorizer may call a webhook. */
const authorizationCheckCost = fixed(350_000);

/** Parsing a selector: every two characters may be a requirement, which is a struct with a list. */
const selectorParsingCost: CallCost = {
  estimate: ({ argSizes }) => {
    const size = argSizes[0]!;
    const requirements = scaled(scaled(size, 0.5), listCost + structCost);
    return { cost: plus(plus(exactly(listCost), traversalCostRange(size)), requirements) };
  },
  runtime: (_, selector) => {
    const size = sizeOf(selector);
    return listCost + traversalCost(size) + Math.ceil(size * 0.5) * (listCost + structCost);
  },
};

const types = [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType];

export const authorization: Library = new LibraryBuilder(...types)
  .add(
    'path',
    '.authorizer_path',
    'Authorizer, string -> PathCheck',
    nominal,
    (check: AuthorizationCheck, path: string) => check.with(pathCheckType, { path: nonEmpty(path, 'path') }),
  )
  .add(
    'group',
    '.authorizer_group',
    'Authorizer, string -> GroupCheck',
    nominal,
    (check: AuthorizationCheck, group: string) => check.with(groupCheckType, { group }),
  )
  .add(
    'serviceAccount',
    '.authorizer_serviceaccount',
    'Authorizer, string, string -> Authorizer',
    nominal,
    asServiceAccount,
  )
  .add(
    'resource',
    '.groupcheck_resource',
    'GroupCheck, string -> ResourceCheck',
    nominal,
    (check: AuthorizationCheck, resource: string) =>
      check.with(resourceCheckType, { resource: nonEmpty(resource, 'resource') }),
  )
  .add(
    'subresource',
    '.resourcecheck_subresource',
    'ResourceCheck, string -> ResourceCheck',
    nominal,
    (check: AuthorizationCheck, subresource: string) => check.with(resourceCheckType, { subresource }),
  )
  .add(
    'namespace',
    '.resourcecheck_namespace',
    'ResourceCheck, string -> ResourceCheck',
    nominal,
    (check: AuthorizationCheck, namespace: string) => check.with(resourceCheckType, { namespace }),
  )
  .add(
    'name',
    '.resourcecheck_name',
    'ResourceCheck, string -> ResourceCheck',
    nominal,
    (check: AuthorizationCheck, name: string) => check.with(resourceCheckType, { name }),
  )
  .add('check', '.pathcheck_check', 'PathCheck, string -> Decision', authorizationCheckCost, authorize)
  .add(
    'check',
    '.resourcecheck_check',
    'ResourceCheck, string -> Decision',
    authorizationCheckCost,
    authorize,
  )
  .add(
    'errored',
    '.decision_errored',
    'Decision -> bool',
    nominal,
    ({ answer }: Decision) => answer.error !== undefined,
  )
  .add(
    'error',
    '.decision_error',
    'Decision -> string',
    nominal,
    ({ answer }: Decision) => answer.error ?? '',
  )
  .add('allowed', '.decision_allowed', 'Decision -> bool', nominal, ({ answer }: Decision) => answer.allowed)
  .add('reason', '.decision_reason', 'Decision -> string', nominal, ({ answer }: Decision) => answer.reason)
  .library();

/** Field and label selectors of authorization checks. */
export const authorizationSelectors: Library = new LibraryBuilder(...types)
  .add(
    'fieldSelector',
    '.authorizer_fieldselector',
    'ResourceCheck, string -> ResourceCheck',
    selectorParsingCost,
    (check: AuthorizationCheck, fieldSelector: string) => check.with(resourceCheckType, { fieldSelector }),
  )
  .add(
    'labelSelector',
    '.authorizer_labelselector',
    'ResourceCheck, string -> ResourceCheck',
    selectorParsingCost,
    (check: AuthorizationCheck, labelSelector: string) => check.with(resourceCheckType, { labelSelector }),
  )
  .library();
