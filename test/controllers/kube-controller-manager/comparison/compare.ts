import { setTimeout as sleep } from 'node:timers/promises';
import { startOrch, startReference, type Undo } from '../../../parity/servers.ts';
import { type AnyObject, Api } from '../api.ts';
import { startControllerManager } from '../controller-manager.ts';
import { accepted } from './accepted.ts';
import { type Case, type CaseStage, cases, configMaps, customKind, served, things } from './cases.ts';
import { outcomeOf } from './outcome.ts';

/** The controllers that both sides run; no others change the objects. */
const compared = [
  'cronjob-controller',
  'disruption-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
].join(',');

const calmMs = 4000;
const pollMs = 250;
const longestMs = 90_000;

/**
 * Runs the same cases on the reference with kube-controller-manager and on Orch with its own controllers, and compares the
 * results. Resolves to the number of unexpected differences.
 */
export async function compare(
  kit: string,
  { only, verbose }: { readonly only: RegExp; readonly verbose: boolean },
  undo: Undo,
): Promise<number> {
  const chosen = cases.filter(({ name }) => only.test(name));
  if (chosen.length === 0) return 0;
  const [theirs, ours] = await Promise.all([
    startReference(kit, 'defaults', undo).then(async (server) => {
      await startControllerManager(kit, server, undo, { controllers: compared });
      return playAll(new Api(server), chosen);
    }),
    startOrch('lmdb', 'defaults', undo, { controllers: compared }).then((server) =>
      playAll(new Api(server), chosen),
    ),
  ]);
  let different = 0;
  chosen.forEach(({ name }, index) => {
    const [reference, orch] = [theirs[index]!, ours[index]!];
    const missing = reference.filter((line) => !orch.includes(line));
    const extra = orch.filter((line) => !reference.includes(line));
    const reason = accepted[name];
    if (missing.length + extra.length === 0) {
      console.log(
        `✓ ${name}: ${reference.length} lines alike${reason ? ', though a difference is listed' : ''}`,
      );
      if (verbose) for (const line of reference) console.log(`      ${line}`);
      if (reason) different++;
      return;
    }
    console.log(reason ? `~ ${name}: differs, as expected: ${reason}` : `✗ ${name}`);
    for (const line of missing) console.log(`    - ${line}`);
    for (const line of extra) console.log(`    + ${line}`);
    if (!reason) different++;
  });
  console.log(`${chosen.length} cases compared, ${different} not as expected`);
  return different;
}

async function playAll(api: Api, chosen: readonly Case[]): Promise<string[][]> {
  await api.create(
    'apis/apiextensions.k8s.io/v1 customresourcedefinitions',
    '',
    customKind('compared.example.com'),
  );
  await served(api, things);
  // kube-controller-manager needs a while to become leader, and half a minute to discover a new kind.
  await sleep(35_000);
  const outcomes = new Map<Case, string[]>();
  const note = async (each: Case) => void outcomes.set(each, await play(api, each));
  await Promise.all(chosen.filter(({ isAlone }) => !isAlone).map(note));
  for (const each of chosen.filter(({ isAlone }) => isAlone)) await note(each);
  return chosen.map((each) => outcomes.get(each)!);
}

async function play(api: Api, each: Case): Promise<string[]> {
  const namespace = `compared-${each.name}`;
  await api.create('api/v1 namespaces', '', { metadata: { name: namespace } });
  // Pods need one, and no controller creates it here.
  await api.create('api/v1 serviceaccounts', namespace, { metadata: { name: 'default' } });
  const stage: CaseStage = {
    api,
    namespace,
    async make(name, owners = [], more = {}) {
      const metadata = { name, ...(owners.length > 0 && { ownerReferences: owners }), ...more };
      const made = await api.create(configMaps, namespace, { metadata });
      return { ...made, apiVersion: 'v1', kind: 'ConfigMap' } as AnyObject;
    },
    remove: (name, propagationPolicy) => api.remove(configMaps, namespace, name, { propagationPolicy }),
    release: (name) => api.patch(configMaps, namespace, name, { metadata: { finalizers: null } }),
    calm: async () => void (await calm(api, namespace, each)),
  };
  await each.run(stage);
  return calm(api, namespace, each);
}

/** The remaining objects once they have not changed for a while. */
async function calm(api: Api, namespace: string, each: Case): Promise<string[]> {
  const end = performance.now() + longestMs;
  let seen = '';
  let since = performance.now();
  for (;;) {
    const outcome = await outcomeOf(api, namespace, each);
    const now = performance.now();
    if (outcome.join('\n') !== seen) {
      seen = outcome.join('\n');
      since = now;
    } else if (now - since > calmMs || now > end) return outcome;
    await sleep(pollMs);
  }
}
