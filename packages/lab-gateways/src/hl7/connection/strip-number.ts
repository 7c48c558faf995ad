/** Removes what the expressions match from a number; a number of which nothing is left stays. */
export function stripNumber(patterns: readonly RegExp[], number: string): string {
  const stripped = patterns.reduce((text, pattern) => text.replace(pattern, ''), number).trim()
  return stripped === '' ? number : stripped
}
