/**
 * Replaces kube-apiserver where envtest starts one: translates flags whose meaning differs, drops flags that Orch does not
 * have, and runs Orch with memory storage.
 */
import { join } from 'node:path';
import { endWithParent } from './with-parent.ts';

/** Flags of envtest about etcd, or about ports that Orch does not open. */
const withoutMeaning = new Set([
  'etcd-servers',
  'insecure-port',
  'insecure-bind-address',
  'advertise-address',
]);

const given = process.argv.slice(2).map((word) => {
  const [, name = '', value = ''] = /^--([^=]+)=?(.*)$/s.exec(word) ?? [];
  return { name, value };
});

// envtest looks for flags of older releases in the help, and finds none.
if (given.some(({ name }) => name === 'help')) process.exit(0);

const words = given
  .filter(({ name }) => name !== '' && name !== 'cert-dir' && !withoutMeaning.has(name))
  .map(({ name, value }) => `--${name}=${value}`);
const folder = given.findLast(({ name }) => name === 'cert-dir')?.value ?? '.';

process.argv = [
  process.argv[0]!,
  process.argv[1]!,
  'serve',
  '--dialect=kubernetes',
  '--storage=memory',
  '--controllers=-*',
  `--data-dir=${join(folder, 'data')}`,
  `--cert-dir=${join(folder, 'orch')}`,
  // kube-apiserver takes these from --cert-dir by their names.
  `--tls-cert-file=${join(folder, 'apiserver.crt')}`,
  `--tls-private-key-file=${join(folder, 'apiserver.key')}`,
  ...words,
];
endWithParent();
await import('../../src/main.ts');
