/**
 * Returns the line of a PostgreSQL program's output that gives the reason of its end: the first
 * error, since later ones follow from it, else the last line, else `ended`.
 */
export function findReason(lines: string[], ended: string): string {
  const failure = lines.find((line) => /\b(ERROR|FATAL|PANIC|error): /.test(line))
  return failure ?? lines.findLast((line) => line.trim() !== '') ?? ended
}
