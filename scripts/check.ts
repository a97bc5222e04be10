// npm run check: types, lint and format.
import { runChecks } from './checks.ts';

process.exitCode = runChecks().failed === 0 ? 0 : 1;
