/** One line of a controller manager's log. */
export interface LogLine {
  readonly text: string;
  /** Without time and process id, so that it is the same in every run. */
  readonly said: string;
}

/** `E1115 08:26:26.209043   19788 file.go:121] "What" err="why"` */
const head = /^([IWEF])\d{4} [\d:.]+ +\d+ ([\w.-]+\.go:\d+)\] /;

/** Informational lines report errors too, in the message or under a key. */
const troubled = /\berr=(?!"?<nil>)|fail|error|forbidden|invalid|unable|cannot|could not|panic/i;

/** The problems: warnings, errors, informational lines about errors, and unparsable lines. */
export function problemLines(log: string): LogLine[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const match = head.exec(line);
      if (!match) return [{ text: line, said: line }];
      const [start, level, place] = match;
      const said = line.slice(start.length);
      if (level === 'I' && !troubled.test(said)) return [];
      return [{ text: line, said: `${level} ${place?.replace(/:\d+$/, '')} ${said}` }];
    });
}

/** An expected line, and the reason. */
export interface ExpectedLine {
  readonly says: RegExp;
  readonly because: string;
}

export interface ClassifiedProblems {
  readonly unexpected: LogLine[];
  /** How often each expected line occurred. */
  readonly counts: Map<ExpectedLine, number>;
}

export function classifyProblems(
  lines: readonly LogLine[],
  expected: readonly ExpectedLine[],
): ClassifiedProblems {
  const counts = new Map<ExpectedLine, number>();
  const unexpected = lines.filter(({ said }) => {
    const entry = expected.find(({ says }) => says.test(said));
    if (entry) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    return !entry;
  });
  return { unexpected, counts };
}
