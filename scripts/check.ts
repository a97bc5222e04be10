// npm run check: types, lint, format, words and unused exports.
import { runChecks } from './checks.ts';

process.exitCode = runChecks().failed === 0 ? 0 : 1;
