// API Priority and Fairness: shuffle sharding.
import { createHash } from 'node:crypto';

/**
 * Deals a flow its hand of queues: deterministic, distinct, and rarely identical to another flow's. A flow that fills
 * its queues then leaves most others at least one free queue.
 */
export function dealHand(schema: string, distinguisher: string, queues: number, handSize: number): number[] {
  // The digits of the hash, with a base that falls by one for each card, are the cards.
  let digits = flowHash(schema, distinguisher);
  const hand: number[] = [];
  for (let remaining = queues; hand.length < Math.min(handSize, queues); remaining--) {
    let card = Number(digits % BigInt(remaining));
    digits /= BigInt(remaining);
    // A card is a position among the queues that are not dealt yet: skip the dealt ones, from the lowest up.
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
