// Benchmark of the request filters: gets with authentication, RBAC, fairness and audit, and gets without them.
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

/** Alternates between the two servers in many short rounds, because the speed of the machine changes within seconds. */
export async function measureFilters(
  repository: string,
  folder: string,
  scale: Scale,
  { results, progress, cleanup }: { results: Results; progress: Progress; cleanup: Cleanup },
): Promise<void> {
  const prepare = async (
    name: string,
    settings: (ownFolder: string) => Parameters<typeof Orch.prepare>[2],
  ) => {
    const ownFolder = join(folder, name);
    mkdirSync(ownFolder);
    const side = await Orch.prepare(repository, ownFolder, settings(ownFolder));
    cleanup.add(() => side.stop());
    await side.startEmpty();
    await seed(side, listNamespace, objects, progress);
    return side;
  };
  const filtered = await prepare('guarded', (ownFolder) => ({
    tokens: `${readerToken},reader,reader-uid,"readers,others"\n`,
    flags: ['--audit-policy-file', auditPolicy(ownFolder), '--audit-log-path', join(ownFolder, 'audit.log')],
  }));
  const unfiltered = await prepare('open', () => ({
    hasPlainHttp: true,
    flags: ['--authorization-mode', 'AlwaysAllow', '--enable-priority-and-fairness', 'false'],
  }));
  await createBindings(filtered);
  const rounds = scale.rounds * 4;
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? [filtered, unfiltered] : [unfiltered, filtered];
    const seconds = round === 0 ? scale.warmUpSeconds : Math.ceil(scale.seconds / 2);
    const samples = new Map<Orch, Sample>();
    for (const side of order) samples.set(side, await gets(side, side === filtered, seconds));
    if (round === 0) continue;
    const [withFilters, withoutFilters] = [samples.get(filtered)!, samples.get(unfiltered)!];
    results.add('get-filters', 'orch', withFilters);
    results.add('get-no-filters', 'orch', withoutFilters);
    results.add('get-filters-ratio', 'orch', { value: (100 * withFilters.value) / withoutFilters.value });
  }
  progress.step(`get-filters and get-no-filters: ${rounds} rounds`);
  await Promise.all([filtered.stop(), unfiltered.stop()]);
}

const objects = 1_000;

async function gets(side: Orch, isFiltered: boolean, seconds: number): Promise<Sample> {
  const { perSecond, ...usage } = await runLoad(side, {
    connections: 64,
    seconds,
    target: {
      method: 'GET',
      path: `${configMapsOf(listNamespace)}/${nameTemplate()}`,
      count: objects,
    },
    token: isFiltered ? readerToken : undefined,
  });
  return { ...usage, value: perSecond };
}

function auditPolicy(folder: string): string {
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
  return file;
}

/** Creates one RoleBinding for each of many groups; one of the groups is the reader's. */
async function createBindings(side: Orch): Promise<void> {
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
