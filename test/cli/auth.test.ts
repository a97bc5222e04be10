import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

for (const dialect of ['orch', 'kubernetes'] as const) {
  const domain = dialect === 'orch' ? 'orch.io' : 'k8s.io';
  const apiGroup = `rbac.authorization.${domain}`;

  describe(`orch auth, in the dialect ${dialect}`, () => {
    let server: EmbeddedServer;
    let folder: string;
    let kubeconfig: string;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'orch-auth-'));
      server = await startServer({ dialect });
      kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, server.kubeconfig);
      await post('/namespaces/default/roles', {
        metadata: { name: 'reader' },
        rules: [
          { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['one'] },
        ],
      });
      await bind('/namespaces/default/rolebindings', 'readers', { kind: 'Role', name: 'reader' }, [
        { apiGroup, kind: 'User', name: 'alice' },
        { kind: 'ServiceAccount', name: 'app', namespace: 'default' },
      ]);
      await post('/clusterroles', {
        metadata: { name: 'signing' },
        rules: [
          {
            apiGroups: [`certificates.${domain}`],
            resources: ['signers'],
            resourceNames: ['example.com/a'],
            verbs: ['sign'],
          },
          { nonResourceURLs: ['/own/*'], verbs: ['get'] },
        ],
      });
      await bind('/clusterrolebindings', 'signers', { kind: 'ClusterRole', name: 'signing' }, [
        { apiGroup, kind: 'Group', name: 'crew' },
      ]);
    });
    after(async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    async function post(path: string, body: object): Promise<void> {
      const response = await fetch(`${server.url}/apis/${apiGroup}/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 201, await response.text());
    }

    const bind = (path: string, name: string, role: object, subjects: object[]) =>
      post(path, { metadata: { name }, roleRef: { apiGroup, ...role }, subjects });

    /** Runs a command in this process. */
    async function auth(line: string) {
      const [out, err]: [string[], string[]] = [[], []];
      const terminal = {
        out: (text: string) => out.push(text),
        err: (text: string) => err.push(text),
        inColor: false,
      };
      const code = await main(['auth', ...line.split(' '), '--kubeconfig', kubeconfig], terminal);
      return { code, out: out.map((text) => text.replace(/ {2,}/g, ' | ')), err };
    }

    test('can-i prints the deciding binding', async () => {
      const byRole = (who: string) =>
        `yes: RBAC: allowed by RoleBinding "readers/default" of Role "reader" to ${who}`;
      assert.deepEqual(await auth('can-i get po --as alice'), {
        code: 0,
        out: [byRole('User "alice"')],
        err: [],
      });
      assert.deepEqual((await auth('can-i list pods --as system:serviceaccount:default:app')).out, [
        byRole('ServiceAccount "app/default"'),
      ]);
      assert.deepEqual((await auth('can-i get configmaps/one --as alice')).out, [byRole('User "alice"')]);
      assert.deepEqual((await auth('can-i get /own/x --as bob --as-group crew')).out, [
        'yes: RBAC: allowed by ClusterRoleBinding "signers" of ClusterRole "signing" to Group "crew"',
      ]);
      assert.deepEqual(await auth('can-i get pods'), { code: 0, out: ['yes'], err: [] });
    });

    test('can-i prints no without a binding', async () => {
      for (const question of [
        'delete pods',
        'get pods --subresource log',
        'get pods -n elsewhere',
        'get configmaps',
        'get configmaps/two',
        'get nodes',
        'get /metrics',
      ]) {
        assert.deepEqual(
          await auth(`can-i ${question} --as alice`),
          { code: 1, out: ['no'], err: [] },
          question,
        );
      }
    });

    test('can-i checks an unserved resource as written, with a warning', async () => {
      const signer = `signers.certificates.${domain}/example.com/a`;
      const { code, out, err } = await auth(`can-i sign ${signer} --as bob --as-group crew`);
      assert.equal(code, 0);
      assert.match(out[0]!, /^yes: RBAC: allowed by ClusterRoleBinding "signers"/);
      assert.match(err[0]!, /^Warning: the server has no resource/);
    });

    test('can-i --list prints all permissions in a namespace', async () => {
      const { code, out } = await auth('can-i --list --as alice');
      assert.equal(code, 0);
      assert.equal(out[0], 'RESOURCE OR PATH | NAMES | VERBS');
      for (const line of [
        'pods | get list',
        'configmaps | one | get',
        `selfsubjectreviews.authentication.${domain} | create`,
        '/api/* | get',
      ]) {
        assert.ok(out.includes(line), line);
      }
      assert.ok(!(await auth('can-i --list --as alice -n elsewhere')).out.includes('pods | get list'));
    });

    test('who-can prints each subject with binding and role', async () => {
      const masters = 'Group system:masters | ClusterRoleBinding cluster-admin | ClusterRole cluster-admin';
      const { code, out } = await auth('who-can get configmaps/one');
      assert.equal(code, 0);
      for (const line of [
        'SUBJECT | BINDING | ROLE',
        masters,
        'User alice | RoleBinding readers | Role reader',
        'ServiceAccount default/app | RoleBinding readers | Role reader',
      ]) {
        assert.ok(out.includes(line), line);
      }
      assert.ok(!(await auth('who-can get configmaps/two')).out.some((line) => line.includes('alice')));
      assert.ok(
        !(await auth('who-can get configmaps/one -n elsewhere')).out.some((line) => line.includes('alice')),
      );
      assert.deepEqual((await auth('who-can get /own/x')).out, [
        'SUBJECT | BINDING | ROLE',
        'Group crew | ClusterRoleBinding signers | ClusterRole signing',
        masters,
      ]);
    });

    test('the server allows every subject that who-can prints', async () => {
      const { out } = await auth('who-can list pods');
      const users = out.flatMap((line) => /^User (\S+)/.exec(line)?.[1] ?? []);
      assert.ok(users.length > 1);
      for (const user of users) assert.equal((await auth(`can-i list pods --as ${user}`)).code, 0, user);
    });

    test('invalid arguments are one line of error', async () => {
      const complaint = async (line: string) => {
        const { code, err } = await auth(line);
        assert.deepEqual([code, err.length], [1, 1]);
        return err[0]!;
      };
      assert.match(await complaint('can get pods'), /did you mean can-i\?/);
      assert.match(await complaint('can-i get'), /VERB and RESOURCE are required/);
      assert.match(await complaint('can-i get pods more'), /unexpected argument "more"/);
      assert.match(await complaint('can-i --list pods'), /unexpected argument "pods"/);
      assert.match(await complaint('can-i get pods --as-group crew'), /--as-group requires --as USER/);
      assert.match(await complaint('who-can get pods --as alice'), /--as works only with orch auth can-i/);
    });
  });
}
