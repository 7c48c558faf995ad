/** Kind of device or app that made a sample (docs/contract/04-providers.md#source-types). */
export const SOURCE_TYPES = [
  'unknown',
  'phone',
  'watch',
  'app',
  'multiple_sources',
  'fingerprick',
  'cuff',
  'manual_scan',
  'automatic',
  'insulin_pump',
  'scale',
  'chest_strap',
  'ring',
  'lab',
  'exercise_machine',
  'earphone',
] as const

export type SourceType = (typeof SOURCE_TYPES)[number]

const KNOWN: ReadonlySet<string> = new Set(SOURCE_TYPES)

/** Whether a text is one of SOURCE_TYPES. */
export function isSourceType(text: unknown): text is SourceType {
  return typeof text === 'string' && KNOWN.has(text)
}

/**
 * Infers the source type of a HealthKit sample from its bundle and product type, as the public
 * clients do when they send no type (docs/contract/04-providers.md#source-types). Only Apple's own
 * sources are typed.
 */
export function inferHealthKitSourceType(bundle: string, productType: string): SourceType {
  if (bundle === 'com.apple.Health') return 'app'
  if (!bundle.startsWith('com.apple.health.')) return 'unknown'
  const product = productType.toLowerCase()
  if (product.startsWith('watch')) return 'watch'
  if (product.startsWith('iphone')) return 'phone'
  return 'unknown'
}

/**
 * Source types from the most to the least trusted
 * (docs/contract/09-aggregate.md#data-prioritisation): devices before entries by hand.
 */
export const SOURCE_TYPES_BY_RANK: readonly SourceType[] = [
  'lab',
  'automatic',
  'watch',
  'ring',
  'chest_strap',
  'scale',
  'cuff',
  'fingerprick',
  'manual_scan',
  'insulin_pump',
  'exercise_machine',
  'earphone',
  'phone',
  'app',
  'multiple_sources',
  'unknown',
]
