#!/usr/bin/env node
// The program `orch`.
import { runProgram } from './cli/run-program.ts';

await runProgram();
