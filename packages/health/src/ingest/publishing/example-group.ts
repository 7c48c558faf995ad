import { toSource } from '@salus/contracts/providers'
import type { Series } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Sample } from '../sample.ts'
import { SampleBytes, SampleWriter } from './sample-bytes.ts'

const EXAMPLE_USER_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const EXAMPLE_BASE_URL = 'https://salus.example.com'
const START = Date.UTC(2026, 2, 1, 8)

/** Returns the data of an event about a series for documents and examples. */
export function exampleGroup(series: Series) {
  const source = {
    provider: 'health_connect',
    sourceType: 'watch',
    appId: 'com.example.watch',
    sport: '',
    workoutId: '',
  }
  const sample = { ...exampleSample(series), ...source }
  const bytes = new SampleBytes()
  new SampleWriter(series, sample, null).write(bytes, sample)
  return {
    source: toSource(source, null, EXAMPLE_BASE_URL),
    data: [JSON.parse(bytes.finish().toString())],
    user_id: EXAMPLE_USER_ID,
  }
}

function exampleSample(series: Series): Sample {
  const [type = 'example'] = series.types?.allowed ?? []
  return {
    series: series.name,
    startedAt: START,
    endedAt: series.shape === 'interval' ? START + MINUTE_MS : START,
    value: exampleValue(series),
    diastolic: series.shape === 'blood_pressure' ? 80 : 0,
    text: series.valueKind === 'text' ? 'Felt well' : '',
    sourceType: 'watch',
    appId: '',
    sampleType: series.types === null ? '' : type,
    workoutId: '',
    sport: '',
    timezoneOffset: 3600,
    timeZone: '',
    extra: '',
    modifiedAt: null,
  }
}

/** Returns a value within the range of a series. */
function exampleValue({ shape, constantValue, codes, least, most }: Series): number {
  if (shape === 'blood_pressure') return 120
  const fixed = constantValue ?? codes?.[0]
  if (fixed !== undefined) return fixed
  if (most === null) return (least ?? 0) + 12
  const low = least ?? 0
  return Math.round((low + (most - low) / 5) * 10) / 10
}
