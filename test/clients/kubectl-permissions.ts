import type { Workspace } from './workspace.ts';

/** Waits until the server has received permissions that were just granted or revoked. */
export async function untilAllowed(work: Workspace, question: string, answer = 'yes'): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { stdout } = await work.try(`auth can-i ${question}`);
    if (stdout.trim() === answer) return;
  }
  throw new Error(`kubectl auth can-i ${question} does not come to answer ${answer}`);
}
