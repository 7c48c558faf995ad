import { createHash } from 'node:crypto'

export const PROVIDERS = ['apple_health_kit', 'fitbit', 'garmin', 'oura', 'withings'] as const
export const SOURCE_TYPES = [
  'watch',
  'ring',
  'phone',
  'app',
  'unknown',
  'exercise_machine',
] as const
export const OFFSETS = [null, null, null, 0, 3600, 7200, -18_000, 19_800] as const

/** A name of a thing, the same for the same words. */
export function uuidOf(...words: (string | number)[]): string {
  const digits = createHash('md5').update(words.join(' ')).digest('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
