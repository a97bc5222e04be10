// Runs a TypeScript file of this repository: `node scripts/launch.mjs src/main.ts dev --http-port 9090`.
// It runs on Node 20 and later, because a fresh checkout starts with it: it installs missing dependencies, finds a Node
// that runs TypeScript, and runs the file with it.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { ensureNode, isNewEnough } from './ensure-node.mjs';
import { SetupError } from './setup-error.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...args] = process.argv.slice(2);
const file = resolve(root, entry ?? 'src/main.ts');

try {
  ensureDependencies(root);
  // The compile cache avoids stripping the types of unchanged files, which halves the start time.
  process.env.NODE_COMPILE_CACHE ||= join(root, 'node_modules', '.cache', 'compiled');
  if (isNewEnough(process.versions.node)) {
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
  } else {
    handOverTo(ensureNode(root));
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`orch: ${error.message}\n`);
  process.exitCode = 1;
}

/** @param {string} node */
function handOverTo(node) {
  const child = spawn(node, [file, ...args], { stdio: 'inherit' });
  // The child handles signals (it drains requests first), so this process forwards them and waits for its exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`orch: cannot run ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
