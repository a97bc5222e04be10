// npm run check: types, lint, format, words and unused exports.
import { runChecks } from './checks.ts';

process.exitCode = (await runChecks()).failed === 0 ? 0 : 1;
