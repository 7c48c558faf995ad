import { InvalidArgumentError } from 'commander'

/** Parser of an option that takes a whole number between two. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** Parser of an option that can be given several times. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}
