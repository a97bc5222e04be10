// Tests of shell completion, in bash itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { completion } from './completion.ts';

const action = { usage: '', help: () => [] };
const commands = [
  {
    name: 'serve',
    about: "run a server, also one's own",
    flags: [
      { name: 'dialect', placeholder: 'orch|kubernetes', about: 'names' },
      { name: 'data-dir', placeholder: 'DIR', about: 'folder' },
      { name: 'v', placeholder: 'N', about: 'verbosity' },
    ],
  },
  { name: 'store', about: 'data', actions: { check: action, backup: action }, flags: [] },
];

async function scriptOf(shell: string): Promise<string> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => void lines.push(line), err: () => {}, inColor: false };
  await completion(commands).run([shell], terminal);
  return lines.join('\n');
}

test('bash completes commands, actions, flags and values', async () => {
  const script = await scriptOf('bash');
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const run = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=$((${words.length} - 1)); _orch; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim();
  };
  assert.equal(complete('orch', 's'), 'serve store');
  assert.equal(complete('orch', 'store', 'b'), 'backup');
  assert.equal(complete('orch', 'serve', '--d'), '--dialect --data-dir');
  assert.equal(complete('orch', 'serve', '--dialect', ''), 'orch kubernetes');
});

test('the script for fish quotes texts, and that for zsh loads the functions of bash', async () => {
  const fish = await scriptOf('fish');
  assert.match(fish, /-a serve -d 'run a server, also one\\'s own'/);
  assert.match(fish, /__fish_seen_subcommand_from serve' -l dialect -x -a 'orch kubernetes' -d 'names'/);
  assert.match(fish, /-s v -r -d 'verbosity'/);
  assert.match(await scriptOf('zsh'), /^autoload -U \+X bashcompinit/);
});

test('another shell is an error that names the shells', async () => {
  await assert.rejects(scriptOf('tcsh'), /a shell is required: orch completion bash\|zsh\|fish/);
});
