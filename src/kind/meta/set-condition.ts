interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Puts a condition in the place of the one of its type. The time is that of the last change of its status. */
export function setCondition<C extends Condition>(conditions: C[], condition: C, now: string): void {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = condition;
  const settled = { type, status, lastTransitionTime, reason, message } as C;
  if (index < 0) conditions.push(settled);
  else conditions[index] = settled;
}
