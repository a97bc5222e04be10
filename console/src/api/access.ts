// Who may do what on an object: the subjects of all role bindings, each with a SubjectAccessReview.
import type { Kind } from './discovery.ts';
import type { Session } from './session.ts';

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

interface Access {
  readonly allowed: boolean;
  /** Names the binding and role of an allowed request. */
  readonly reason: string;
}

export interface SubjectAccess {
  readonly subject: Subject;
  /** By verb. */
  readonly access: ReadonlyMap<string, Access>;
}

interface Binding {
  readonly subjects?: readonly Subject[];
}

const maxSubjects = 60;
const concurrency = 4;
export const reviewedVerbs = ['get', 'update', 'patch', 'delete'] as const;

/** The user name and groups of a subject, as an authenticator would set them. */
export function identityOf({ kind, name, namespace = '' }: Subject): { user: string; groups: string[] } {
  if (kind === 'Group') return { user: 'console:member-of-group', groups: [name, 'system:authenticated'] };
  if (kind === 'User') return { user: name, groups: ['system:authenticated'] };
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

export const subjectText = ({ kind, name, namespace }: Subject) =>
  kind === 'ServiceAccount' ? `${namespace}/${name}` : name;

async function readSubjects(session: Session, namespace: string): Promise<readonly Subject[]> {
  const root = `/apis/${session.info.names.rbacGroup}/v1`;
  const paths = [`${root}/clusterrolebindings`];
  if (namespace !== '') paths.push(`${root}/namespaces/${encodeURIComponent(namespace)}/rolebindings`);
  const lists = await Promise.all(paths.map((path) => session.json<{ items: Binding[] | null }>(path)));
  const subjects = new Map<string, Subject>();
  for (const { subjects: bound = [] } of lists.flatMap(({ items }) => items ?? [])) {
    for (const subject of bound) subjects.set(`${subject.kind} ${subjectText(subject)}`, subject);
  }
  return [...subjects.values()];
}

/** Subjects that may do something on the object. */
export async function reviewAccess(
  session: Session,
  kind: Kind,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly SubjectAccess[]> {
  const queue = (await readSubjects(session, namespace)).slice(0, maxSubjects);
  const results: SubjectAccess[] = [];
  const work = async () => {
    for (let subject = queue.shift(); subject && !signal.aborted; subject = queue.shift()) {
      const access = new Map<string, Access>();
      for (const verb of reviewedVerbs) {
        access.set(verb, await review(session, subject, { verb, kind, namespace, name }, signal));
      }
      if ([...access.values()].some(({ allowed }) => allowed)) results.push({ subject, access });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results.sort((one, other) => subjectText(one.subject).localeCompare(subjectText(other.subject)));
}

interface ReviewedRequest {
  readonly verb: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

async function review(
  session: Session,
  subject: Subject,
  { verb, kind, namespace, name }: ReviewedRequest,
  signal: AbortSignal,
): Promise<Access> {
  const group = session.info.names.authorizationGroup;
  const { group: resourceGroup, version, resource } = kind;
  const { status } = await session.json<{ status: { allowed: boolean; reason?: string } }>(
    `/apis/${group}/v1/subjectaccessreviews`,
    {
      method: 'POST',
      signal,
      body: JSON.stringify({
        apiVersion: `${group}/v1`,
        kind: 'SubjectAccessReview',
        spec: {
          ...identityOf(subject),
          resourceAttributes: { verb, group: resourceGroup, version, resource, namespace, name },
        },
      }),
    },
  );
  return { allowed: status.allowed, reason: status.reason ?? '' };
}
