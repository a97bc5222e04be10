// The single executable: as main.ts, with the worker threads embedded as assets (scripts/build-executable.ts).
import { getAsset } from 'node:sea';
import { embedWorkers } from './base/worker-entry.ts';
import { runProgram } from './cli/run-program.ts';

embedWorkers((name) => getAsset(`${name}.js`, 'utf8'));
void runProgram();
