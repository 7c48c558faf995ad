import { InvalidArgumentError } from 'commander'

const SECONDS: Record<string, number> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 }
const PART = /(\d+)([wdhms])/g

/** Creates a parser of an option that takes a whole number between two bounds. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** Parses an option that can be given several times. */
export function collectValue(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}

/**
 * Reads a length of time such as `3d`, `90m` or `1d12h`. Returns seconds.
 * @throws InvalidArgumentError
 */
export function parseDuration(text: string): number {
  if (!/^(?:\d+[wdhms])+$/.test(text)) {
    throw new InvalidArgumentError('Write it like 3d, 90m or 1d12h.')
  }
  const parts = [...text.matchAll(PART)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0)
}
