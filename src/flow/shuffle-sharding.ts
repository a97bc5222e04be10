import { createHash } from 'node:crypto';

/**
 * Deals a flow its hand of queues: always the same ones, all different, and seldom all those of another flow. One that
 * fills its queues then leaves most others at least one that is free.
 */
export function dealHand(schema: string, distinguisher: string, queues: number, handSize: number): number[] {
  let cards = flowHash(schema, distinguisher);
  const hand: number[] = [];
  for (let left = queues; hand.length < Math.min(handSize, queues); left--) {
    let card = Number(cards % BigInt(left));
    cards /= BigInt(left);
    // A card counts only those still in the deck: step over the ones dealt before it, from the lowest up.
    for (const dealt of [...hand].sort((a, b) => a - b)) if (dealt <= card) card++;
    hand.push(card);
  }
  return hand;
}

/** Many more bits than a hand takes, and the same in every process. */
function flowHash(schema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(`${schema}\0${distinguisher}`).digest('hex');
  return BigInt(`0x${digest}`);
}
