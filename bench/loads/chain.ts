import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from '../cleanup.ts';
import { configMapsOf, listNamespace, nameTemplate } from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { Results, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import { Orch } from '../sides/orch.ts';
import { ApiClient } from './api-client.ts';
import { seed } from './seed.ts';
import { runLoad } from './wrk.ts';

const bindings = 500;
const readerToken = 'reader-token';
const group = 'rbac.authorization.k8s.io';

/**
 * What all that a request goes through before it is served costs: gets from a server with everything on, beside gets
 * from one with nothing on, in turn. Many short rounds, for the machine's speed changes within seconds.
 */
export async function measureChain(
  repository: string,
  folder: string,
  scale: Scale,
  { results, progress, cleanup }: { results: Results; progress: Progress; cleanup: Cleanup },
): Promise<void> {
  const prepare = async (name: string, settings: (own: string) => Parameters<typeof Orch.prepare>[2]) => {
    const own = join(folder, name);
    mkdirSync(own);
    const side = await Orch.prepare(repository, own, settings(own));
    cleanup.add(() => side.stop());
    await side.startEmpty();
    await seed(side, listNamespace, objects, progress);
    return side;
  };
  const guarded = await prepare('guarded', (own) => ({
    tokens: `${readerToken},reader,reader-uid,"readers,others"\n`,
    flags: ['--audit-policy-file', auditPolicy(own), '--audit-log-path', join(own, 'audit.log')],
  }));
  const open = await prepare('open', () => ({
    isOpen: true,
    flags: ['--authorization-mode', 'AlwaysAllow', '--enable-priority-and-fairness', 'false'],
  }));
  await bind(guarded);
  const rounds = scale.rounds * 4;
  for (let round = 0; round <= rounds; round++) {
    const inTurn = round % 2 === 0 ? [guarded, open] : [open, guarded];
    const seconds = round === 0 ? scale.warmUpSeconds : Math.ceil(scale.seconds / 2);
    const samples = new Map<Orch, Sample>();
    for (const side of inTurn) samples.set(side, await gets(side, side === guarded, seconds));
    if (round === 0) continue;
    const [ours, bare] = [samples.get(guarded)!, samples.get(open)!];
    results.add('get-guarded', 'orch', ours);
    results.add('get-open', 'orch', bare);
    results.add('get-kept', 'orch', { value: (100 * ours.value) / bare.value });
  }
  progress.step(`get-guarded and get-open: ${rounds} rounds`);
  await Promise.all([guarded.stop(), open.stop()]);
}

const objects = 1_000;

async function gets(side: Orch, isGuarded: boolean, seconds: number): Promise<Sample> {
  const { perSecond, ...usage } = await runLoad(side, {
    connections: 64,
    seconds,
    target: {
      method: 'GET',
      path: `${configMapsOf(listNamespace)}/${nameTemplate()}`,
      count: objects,
    },
    token: isGuarded ? readerToken : undefined,
  });
  return { ...usage, value: perSecond };
}

function auditPolicy(folder: string): string {
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
  return file;
}

/** Bindings of one role to as many groups, the reader's among them. */
async function bind(side: Orch): Promise<void> {
  const client = new ApiClient(side, 8);
  const path = `/apis/${group}/v1/namespaces/${listNamespace}`;
  const create = (kind: string, body: object) =>
    client.expect([201], 'POST', `${path}/${kind}`, JSON.stringify(body));
  try {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
    await create('roles', { metadata: { name: 'reader' }, rules });
    for (let n = 0; n < bindings; n++) {
      const name = n === bindings / 2 ? 'readers' : `group-${n}`;
      await create('rolebindings', {
        metadata: { name: `binding-${n}` },
        roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup: group, kind: 'Group', name }],
      });
    }
  } finally {
    client.close();
  }
}
