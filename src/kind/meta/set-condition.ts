// Sets a condition in a status (upstream: meta.SetStatusCondition).

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Replaces the condition of the same type, or adds it. lastTransitionTime changes only with the condition's status. */
export function setCondition<C extends Condition>(conditions: C[], condition: C, now: string): void {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const previous = conditions[index];
  const lastTransitionTime =
    previous?.status === condition.status ? (previous.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = condition;
  const updated = { type, status, lastTransitionTime, reason, message } as C;
  if (index < 0) conditions.push(updated);
  else conditions[index] = updated;
}
