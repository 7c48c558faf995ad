import type { Source } from '../series/index.ts'
import { findProvider } from './provider.registry.ts'
import { logoUrl } from './provider.schema.ts'

/** What identifies the source of samples; unknown texts are empty. */
interface SampleSource {
  provider: string
  sourceType: string
  appId: string
  sport: string
  workoutId: string
}

/**
 * Converts a source to its form in answers and events
 * (docs/contract/04-providers.md#source-object).
 */
export function toSource(source: SampleSource, deviceId: string | null, baseUrl: string): Source {
  const { provider, sourceType, appId, sport, workoutId } = source
  const known = findProvider(provider)
  return {
    provider,
    type: sourceType as Source['type'],
    app_id: appId || null,
    device_id: deviceId,
    sport: sport || null,
    workout_id: workoutId || null,
    name: known?.name ?? '',
    slug: provider,
    logo: known === undefined ? '' : logoUrl(baseUrl, provider),
  }
}
