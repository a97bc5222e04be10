// API Priority and Fairness: shuffle sharding.
import { createHash } from 'node:crypto';

/**
 * Deals a flow its hand of queues: deterministic, distinct, and rarely identical to another flow's. A flow that fills
 * its queues then leaves most others at least one free queue.
 */
export function dealHand(schema: string, distinguisher: string, queues: number, handSize: number): number[] {
  let cards = flowHash(schema, distinguisher);
  const hand: number[] = [];
  for (let remaining = queues; hand.length < Math.min(handSize, queues); remaining--) {
    let card = Number(cards % BigInt(remaining));
    cards /= BigInt(remaining);
    // A card counts only the remaining ones: skip those dealt before it, from the lowest up.
    for (const dealt of [...hand].sort((a, b) => a - b)) if (dealt <= card) card++;
    hand.push(card);
  }
  return hand;
}

/** Has many more bits than a hand needs, and is the same in every process. */
function flowHash(schema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(`${schema}\0${distinguisher}`).digest('hex');
  return BigInt(`0x${digest}`);
}
