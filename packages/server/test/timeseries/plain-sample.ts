import type { Sample } from '../../../health/src/ingest/sample.ts'

/** A point of steps by an unknown source, with the given parts. */
export function plainSample(parts: Partial<Sample> = {}): Sample {
  const startedAt = parts.startedAt ?? Date.parse('2026-02-10T08:00:00Z')
  return {
    series: 'steps',
    startedAt,
    endedAt: startedAt,
    value: 10,
    diastolic: 0,
    text: '',
    sourceType: 'unknown',
    appId: '',
    sampleType: '',
    workoutId: '',
    sport: '',
    timezoneOffset: null,
    timeZone: '',
    extra: '',
    modifiedAt: null,
    ...parts,
  }
}
