// Escalation: users with narrow rights try to get more, and all that the bootstrap roles allow is compared.
import type { Server } from '../parity/client.ts';
import { ask, setUpObject } from './ask.ts';
import { type Attack, type AttackClass, attackOfTries } from './attack.ts';
import { escalations, namespace, type Persona, personas } from './escalations.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const other = `${namespace}-2`;
/** Neither server runs the controller that aggregates them into view, edit and admin. */
const bootstrapRoles = ['system:aggregate-to-view', 'system:aggregate-to-edit', 'system:aggregate-to-admin'];

export const escalation: AttackClass = {
  name: 'escalation',
  sides: ['orch', 'reference'],
  accepted: [],
  async prepare({ server, undo }) {
    const answers = new Map<string, string>();
    undo.push(() => cleanUp(server));
    await prepareRights(server);
    const attempts = personas.map((persona) =>
      attackOfTries(`escalation by ${persona.name}`, escalations(persona), async (one) => {
        const headers = { ...callerOf(persona), ...one.headers };
        const { method, path, body, type } = one;
        const received = await ask(server, method, path, {
          headers,
          ...(body && { body }),
          ...(type && { type }),
        });
        answers.set(`${persona.name}: ${one.name}`, `${received.status}`);
        if (received.status < 300 && !one.isAllowed) throw new Error(`${one.name}: ${received.status}`);
      }),
    );
    return {
      target: server,
      answers,
      attacks: [...attempts, rightsUnchanged(server), ...(await roleMatrix(server, answers))],
    };
  },
};

/** With own credentials, which some attempts need, or impersonated by the admin. */
const callerOf = ({ name, token }: Persona): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : { 'impersonate-user': name };
const userOf = (name: string) => ({ apiGroup, kind: 'User', name });

async function prepareRights(server: Server): Promise<void> {
  for (const name of [namespace, other])
    await setUpObject(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
  const core = `/api/v1/namespaces/${namespace}`;
  for (const name of ['mine', 'theirs'])
    await setUpObject(server, 'POST', `${core}/serviceaccounts`, { metadata: { name } });
  await setUpObject(server, 'POST', `${core}/secrets`, { metadata: { name: 'theirs' } });
  for (const persona of personas) await give(server, persona);
  for (const role of bootstrapRoles) {
    await bind(
      server,
      `${rbac}/namespaces/${namespace}/rolebindings`,
      `attack-${role}`,
      role,
      `attack-${role}`,
    );
  }
  // Servers apply new bindings after a moment.
  const end = performance.now() + 10_000;
  const right = { verb: 'list', resource: 'pods', namespace };
  while (!(await allows(server, `attack-${bootstrapRoles[0]}`, right))) {
    if (performance.now() > end) throw new Error('the bindings have no effect');
  }
}

async function give(server: Server, { name, rules, isClusterWide }: Persona): Promise<void> {
  await setUpObject(server, 'POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
  const bindings = isClusterWide ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`;
  await bind(server, `${rbac}/${bindings}`, name, name, name);
}

function bind(server: Server, path: string, name: string, role: string, user: string) {
  return setUpObject(server, 'POST', path, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [userOf(user)],
  });
}

async function cleanUp(server: Server): Promise<void> {
  for (const { name } of personas) {
    await ask(server, 'DELETE', `${rbac}/clusterrolebindings/${name}`);
    await ask(server, 'DELETE', `${rbac}/clusterroles/${name}`);
  }
  for (const name of [namespace, other]) await ask(server, 'DELETE', `/api/v1/namespaces/${name}`);
}

interface ResourceAttributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

async function allows(
  server: Server,
  user: string,
  resourceAttributes: ResourceAttributes,
): Promise<boolean> {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const groups = ['system:authenticated'];
  const { status } = await setUpObject(server, 'POST', path, { spec: { user, groups, resourceAttributes } });
  return (status as { allowed: boolean }).allowed;
}

/** After all attempts nobody has a right that they did not have. */
function rightsUnchanged(server: Server): Attack {
  const forbidden: ResourceAttributes[] = [
    { verb: 'get', resource: 'secrets', namespace: 'kube-system' },
    { verb: 'get', resource: 'secrets', namespace },
    { verb: 'create', resource: 'pods', namespace },
    { verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace: 'kube-system' },
    { verb: '*', group: '*', resource: '*' },
    { verb: 'impersonate', resource: 'users' },
    { verb: 'escalate', group: apiGroup, resource: 'clusterroles' },
    { verb: 'bind', group: apiGroup, resource: 'clusterroles' },
    { verb: 'approve', group: 'certificates.k8s.io', resource: 'signers' },
  ];
  const all = personas.flatMap(({ name }) => forbidden.map((right) => ({ name, right })));
  return attackOfTries('rights after all attempts', all, async ({ name, right }) => {
    if (await allows(server, name, right)) throw new Error(`${name} may ${JSON.stringify(right)}`);
  });
}

const verbs =
  'get list watch create update patch delete deletecollection escalate bind impersonate approve sign proxy use'.split(
    ' ',
  );

/** Every resource and subresource × verb × scope, for the users of view, edit and admin. */
async function roleMatrix(server: Server, answers: Map<string, string>): Promise<Attack[]> {
  const resources = await servedResources(server);
  return bootstrapRoles.flatMap((role) =>
    [namespace, other, ''].map((scope) => {
      const all = resources.flatMap((resource) =>
        verbs.map((verb) => ({ ...resource, verb, ...(scope && { namespace: scope }) })),
      );
      return attackOfTries(`${role} in ${scope || 'the cluster'}`, all, async (right) => {
        const allowed = await allows(server, `attack-${role}`, right);
        const { verb, group, resource, subresource } = right;
        answers.set(
          `${role} in ${scope}: ${verb} ${group}/${resource}/${subresource ?? ''}`,
          allowed ? '1' : '0',
        );
        const isPublic = resource === 'clustertrustbundles' || resource.startsWith('selfsubject');
        if (allowed && scope !== namespace && !isPublic)
          throw new Error(`${role} may ${verb} ${resource} in ${scope || 'the cluster'}`);
      });
    }),
  );
}

async function servedResources(server: Server): Promise<Omit<ResourceAttributes, 'verb'>[]> {
  const groups = (await setUpObject(server, 'GET', '/apis')).groups as {
    name: string;
    versions: { groupVersion: string }[];
  }[];
  const versions = [
    { group: '', path: '/api/v1' },
    ...groups.flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
    ),
  ];
  const lists = await Promise.all(
    versions.map(async ({ group, path }) => {
      // Another server on the same etcd may have announced more.
      const { resources = [] } = (await ask(server, 'GET', path)).json;
      const list = resources as { name: string }[];
      return list.map(({ name }) => {
        const [resource = '', subresource] = name.split('/');
        return { group, resource, ...(subresource && { subresource }) };
      });
    }),
  );
  return lists.flat();
}
