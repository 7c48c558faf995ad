import { MINUTE_MS } from '@salus/contracts/time-units'

/** One-minute heart rate of a person, the same for every side of a comparison. */
export interface HeartRateSample {
  startedAt: number
  value: number
}

export const FIRST_MINUTE = Date.UTC(2025, 0, 1)

/** A small deterministic generator: numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A walk between 50 and 180 beats per minute, one value a minute. */
export function makeHeartRate(seed: number, firstMinute: number, count: number): HeartRateSample[] {
  const random = createRandom(seed)
  let value = 70
  return Array.from({ length: count }, (_, index) => {
    value = Math.min(180, Math.max(50, value + Math.round((random() - 0.5) * 8)))
    return { startedAt: FIRST_MINUTE + (firstMinute + index) * MINUTE_MS, value }
  })
}

/** The upload body of samples, as a client writes it. */
export function uploadBody(samples: readonly HeartRateSample[]): string {
  const data = samples.map(({ startedAt, value }) => {
    const at = new Date(startedAt).toISOString()
    return { value, unit: 'bpm', start_date: at, end_date: at, source_bundle: 'com.example.watch' }
  })
  return JSON.stringify({ stage: 'daily', provider: 'health_connect', data })
}
