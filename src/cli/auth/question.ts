import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource, NoSuchKind } from '../cluster/find-resource.ts';
import type { AuthArgs } from './settings.ts';

/** What is asked about: a verb on a resource, perhaps one object, in a namespace or at large; or on a path. */
export interface Question extends RequestAttributes {
  /** Empty for what is in no namespace. */
  readonly namespace: string;
  /** The server has no such resource: rules may name it all the same. */
  readonly isUnknown: boolean;
}

/** Understands what the user calls things with the help of the server's discovery. */
export async function readQuestion(
  connection: Connection,
  { settings, verb, what }: AuthArgs,
  namespaceOfContext: string,
): Promise<Question> {
  if (what.startsWith('/')) {
    const none = { group: '', resource: '', subresource: '', name: '', namespace: '' };
    return { ...none, verb, isResource: false, path: what, isUnknown: false };
  }
  const slash = what.indexOf('/');
  const word = slash < 0 ? what : what.slice(0, slash);
  const asked = {
    verb,
    isResource: true,
    path: '',
    subresource: settings.subresource ?? '',
    name: slash < 0 ? '' : what.slice(slash + 1),
  };
  const found = await findResource(connection, word).catch((error) => {
    if (error instanceof NoSuchKind) return undefined;
    throw error;
  });
  if (!found) {
    // Rules also speak of what no server serves: `signers`, `users`, `*`.
    const [resource = '', ...group] = word.split('.');
    const namespace = settings.namespace ?? '';
    return { ...asked, resource, group: group.join('.'), namespace, isUnknown: resource !== '*' };
  }
  const { group, plural, namespaced } = found;
  const namespace = namespaced ? (settings.namespace ?? namespaceOfContext) : '';
  return { ...asked, group, resource: plural, namespace, isUnknown: false };
}

/** The question as the server's refusals put it: `get pods/log "web" in the namespace "shop"`. */
export function spoken({ verb, isResource, path, resource, subresource, group, name, namespace }: Question) {
  if (!isResource) return `${verb} ${path}`;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const full = group === '' ? whole : `${whole} of ${group}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} ${full}${name === '' ? '' : ` ${JSON.stringify(name)}`} ${where}`;
}
