// Attacks by backup files: `orch store restore` rejects each crafted file, and writes nothing outside its target.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { orch } from '../support/program.ts';
import type { Attack, AttackClass } from './attack.ts';

const megabyte = 1024 * 1024;
const header = (changes: object = {}) =>
  JSON.stringify({
    format: 'orch-backup',
    version: 1,
    dialect: 'orch',
    revision: 12,
    takenAt: 'now',
    ...changes,
  });
const object = '{"metadata":{"resourceVersion":"3"}}';
const entry = (changes: object = {}) =>
  JSON.stringify({
    ...{ key: 'things/a', prefix: 'things', revision: 3, bytes: object.length, revisionAt: 32, itemAt: 1 },
    ...{ mark: 'm', ...changes },
  });

/** A file of these lines, whose digest is correct. */
function signed(lines: readonly string[], objects: unknown = (lines.length - 1) / 2): string {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ objects, sha256 })}\n`;
}

const withEntry = (changes: object) => signed([header(), entry(changes), object]);
const withKey = (key: string) => withEntry({ key, prefix: key.slice(0, key.lastIndexOf('/')) });
const whole = signed([header(), entry(), object]);

const files: Readonly<Record<string, string | Buffer>> = {
  'an empty file': '',
  'a file of zeros': Buffer.alloc(megabyte),
  'a gzip bomb': gzipSync(Buffer.alloc(64 * megabyte)),
  'a file without its end': whole.slice(0, whole.lastIndexOf('{')),
  'half a file': whole.slice(0, whole.length / 2),
  'a file with more after its end': `${whole}${whole}`,
  'a wrong digest': whole.replace('"now"', '"new"'),
  'a count of 2^53': signed([header(), entry(), object], 2 ** 53),
  'a negative count': signed([header(), entry(), object], -1),
  'a count that is text': signed([header(), entry(), object], '1'),
  'an object of 2^40 bytes': withEntry({ bytes: 2 ** 40 }),
  'an object of negative length': withEntry({ bytes: -1 }),
  'an object of half a byte': withEntry({ bytes: 0.5 }),
  'offsets outside of the object': withEntry({ revisionAt: 2 ** 31, itemAt: 2 ** 31 }),
  'a revision of 2^60': signed([header({ revision: 2 ** 60 }), entry({ revision: 2 ** 60 }), object]),
  'a negative revision': signed([header({ revision: -1 }), entry({ revision: -1 }), object]),
  'another version': signed([header({ version: 99 })]),
  'a header that is an array': signed(['[]']),
  'a header with names of Object.prototype': signed(['{"__proto__":{"format":"orch-backup"}}']),
  'a key twice': signed([header(), entry(), object, entry(), object]),
  'keys out of order': signed([header(), entry({ key: 'things/b' }), object, entry(), object]),
  'a key of another prefix': withEntry({ key: 'secrets/a' }),
  'a key with NUL': withKey('things/a\0b'),
  'an empty key': withKey(''),
  'a key of 1 MB': withKey(`things/${'a'.repeat(megabyte)}`),
  'a mark of 1 MB': withEntry({ mark: 'm'.repeat(megabyte) }),
  'deeply nested metadata': signed([header(), `${'['.repeat(megabyte)}${']'.repeat(megabyte)}`, object]),
};

/** Keys that are paths are names in the database, nothing else: they may be restored. */
const paths: Readonly<Record<string, string>> = {
  'a key with ..': withKey('things/../../outside'),
  'an absolute key': withKey('/etc/outside'),
  'a key that is __proto__': withKey('__proto__/constructor'),
  'a dialect with ..': signed([header({ dialect: '../../outside' }), entry(), object]),
};

export const backups: AttackClass = {
  name: 'crafted backups',
  sides: ['orch'],
  async prepare({ server, undo }) {
    const folder = await mkdtemp(join(tmpdir(), 'orch-attacks-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const make = (name: string, content: string | Buffer, mayBeRestored: boolean): Attack => ({
      name,
      run: () => restore(folder, mayBeRestored, (file) => writeFile(file, content)),
    });
    return {
      target: server,
      attacks: [
        ...Object.entries(files).map(([name, content]) => make(name, content, false)),
        ...Object.entries(paths).map(([name, content]) => make(name, content, true)),
        {
          name: 'a line of 8 GB',
          run: () =>
            restore(folder, false, async (file) => {
              await writeFile(file, '');
              await truncate(file, 8 * 1024 * megabyte);
            }),
        },
        { name: 'a folder', run: () => restore(folder, false, (file) => mkdir(file).then(() => {})) },
      ],
    };
  },
};

async function restore(
  folder: string,
  mayBeRestored: boolean,
  write: (file: string) => Promise<void>,
): Promise<void> {
  const own = await mkdtemp(join(folder, 'one-'));
  const file = join(own, 'file.backup');
  await write(file);
  const { code, signal, stdout, stderr } = await orch('store', 'restore', file, join(own, 'data')).ended();
  const output = `${stdout}${stderr}`;
  if (signal !== null || (code !== 0 && /\n {4}at /.test(output))) throw new Error(`it crashed: ${output}`);
  if (code === 0 && !mayBeRestored) throw new Error(`the file was restored: ${output}`);
  const found = await readdir(own);
  const unexpected = found.filter((name) => name !== 'file.backup' && name !== 'data');
  if (unexpected.length > 0) throw new Error(`unexpected files: ${unexpected}`);
  if ((await readdir(folder)).some((name) => !name.startsWith('one-'))) throw new Error('a file outside');
}
