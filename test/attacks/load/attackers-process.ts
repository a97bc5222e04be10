// The attackers of the load test, in a process of their own: ten users that repeat one kind of attack.
import { setTimeout as sleep } from 'node:timers/promises';
import { Attacker } from './attacker.ts';
import { LoadClient } from './client.ts';
import { kinds } from './kinds/index.ts';
import type { AttackerCommand, AttackerReport } from './messages.ts';
import { adminToken, attackers, tokenOf } from './users.ts';

const [, , url, name] = process.argv as [string, string, string, string];
const kind = kinds.find((each) => each.name === name)!;
/** After a failed request, such as a closed connection. */
const pauseMs = 50;

class Run {
  readonly #outcomes: Record<string, number> = {};
  readonly #startedAt = performance.now();
  readonly #attackers = attackers.map((user, index) => new Attacker(url, tokenOf(user), index, this.#count));
  readonly #running: Promise<unknown>;
  #requests = 0;
  #isEnding = false;

  constructor(cheapRate: number | undefined) {
    this.#running = Promise.all(this.#attackers.map((attacker) => this.#repeat(attacker, cheapRate)));
  }

  async end(): Promise<AttackerReport> {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const result = { requests: this.#requests, outcomes: { ...this.#outcomes }, seconds };
    this.#isEnding = true;
    for (const attacker of this.#attackers) attacker.close();
    await this.#running;
    return result;
  }

  get #count() {
    return (outcome: string) => {
      if (this.#isEnding) return;
      this.#requests++;
      this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    };
  }

  async #repeat(attacker: Attacker, cheapRate: number | undefined): Promise<void> {
    const pacingMs = cheapRate === undefined ? 0 : (attackers.length / cheapRate) * 1000;
    for (let due = performance.now(); !this.#isEnding; due += pacingMs) {
      try {
        if (cheapRate === undefined) await kind.attack(attacker);
        else {
          await sleep(Math.max(0, due - performance.now()));
          await attacker.send({ path: '/version' });
        }
      } catch (error) {
        if (this.#isEnding) return;
        this.#count((error as NodeJS.ErrnoException).code ?? (error as Error).message);
        await sleep(pauseMs);
      }
    }
  }
}

const admin = new LoadClient(url, adminToken);
await kind.prepare?.(admin);
admin.close();

let run: Run | undefined;
process.on('message', async (command: AttackerCommand) => {
  if ('begin' in command) run = new Run(command.cheapRate);
  else process.send!(await run!.end());
});
process.on('disconnect', () => process.exit());
process.send!('ready');
