/**
 * The differences we live with, each with its reason. `answers` is matched against an answer's id, which is
 * `subject/case #n`. An entry that matches no difference any more is an error: strike it out.
 */
export interface Accepted {
  answers: RegExp;
  reason: string;
}

export const accepted: Accepted[] = [];
