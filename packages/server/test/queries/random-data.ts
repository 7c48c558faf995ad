import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { OFFSETS, PROVIDERS, SOURCE_TYPES, uuidOf } from './random-sources.ts'
import { randomSummaries } from './random-summaries.ts'
import { offsetAt } from './reference/floating-time.ts'
import type { PersonData, ReferenceTarget, StoredSample } from './reference/person-data.ts'
import type { SeededRandom } from './seeded-random.ts'

/** All data of a batch of queries. */
export interface RandomPerson {
  data: PersonData
  target: ReferenceTarget
  /** Days, first and last, that have data. */
  firstDay: number
  lastDay: number
}

/** Zones whose clocks change, one that never does, and none. */
const ZONES = [
  null,
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
/**
 * Days in whose weeks clocks change somewhere, the turn of a year with 53 weeks, and a leap day.
 */
const MIDDLES = ['2026-03-27', '2025-10-30', '2026-04-05', '2021-01-02', '2024-02-29']

const NOTES = ['', 'x', 'née 😀', "it's \\ \t \n", 'Zebra', 'apple']
const TAGS = ['food', 'exercise', 'insulin_injection', 'unspecified']

/** A person with several sources of everything, about 1,500 rows over two months. */
export function randomPerson(random: SeededRandom): RandomPerson {
  const middle = Date.parse(`${random.pick(MIDDLES)}T00:00:00Z`)
  const firstDay = middle - 30 * DAY_MS
  const lastDay = middle + 30 * DAY_MS
  const fallbackZone = random.pick(ZONES)
  const devices = Object.fromEntries(
    PROVIDERS.filter(() => random.chance(0.4)).map((provider) => [provider, uuidOf(provider)]),
  )
  const priorities = Object.fromEntries(
    ['workouts', 'activity', 'sleep', 'body', 'timeseries'].map((type) => [
      type,
      Object.fromEntries(
        PROVIDERS.filter(() => random.chance(0.5)).map((slug) => [slug, random.below(3) - 1]),
      ),
    ]),
  )
  const now = middle + random.below(40) * DAY_MS + random.below(86_400) * 1000
  const target = { fallbackZone, priorities, devices, now }
  const samples = Object.keys(SERIES).flatMap((series) =>
    randomSamples(random, series, firstDay, fallbackZone),
  )
  const summaries = randomSummaries(random, firstDay, fallbackZone)
  return { data: { samples, summaries }, target, firstDay, lastDay }
}

type Fields = Partial<StoredSample>

const quarter = (random: SeededRandom, from: number, size: number): number =>
  from + random.below(size * 4) / 4

/** Series of every class, with what their samples carry beside the common fields. */
const SERIES: Record<string, (random: SeededRandom) => Fields> = {
  glucose: (random) => ({
    value: quarter(random, 3, 10),
    sampleType: random.pick(['', 'automatic', 'manual_scan']),
  }),
  heartrate: (random) => ({ value: 50 + random.below(100) }),
  body_weight: (random) => ({ value: quarter(random, 60, 20) }),
  steps: (random) => ({ value: random.below(500), ...lasting(random) }),
  distance: (random) => ({
    value: quarter(random, 0, 800),
    sport: random.pick(['', 'running']),
    workoutId: random.pick(['', uuidOf('workout', random.below(3))]),
    ...lasting(random),
  }),
  body_temperature: (random) => ({
    value: quarter(random, 35, 5),
    extra: extraOf(random, { sensor_location: ['ear', 'mouth'] }),
    ...lasting(random),
  }),
  workout_duration: (random) => ({
    value: quarter(random, 1, 60),
    extra: extraOf(random, { intensity: ['low', 'medium', 'high'] }),
    ...lasting(random),
  }),
  insulin_injection: (random) => ({
    value: quarter(random, 1, 20),
    sampleType: random.pick(['rapid_acting', 'long_acting']),
    extra: extraOf(random, {
      delivery_mode: ['basal', 'bolus'],
      delivery_form: ['standard', 'extended'],
      bolus_purpose: ['meal', 'mixed'],
    }),
    ...lasting(random),
  }),
  blood_pressure: (random) => ({ value: 90 + random.below(80), diastolic: 50 + random.below(50) }),
  note: (random) => ({
    text: random.pick(NOTES),
    extra: random.chance(0.3)
      ? ''
      : JSON.stringify({ tags: TAGS.filter(() => random.chance(0.4)) }),
    ...lasting(random),
  }),
}

const lasting = (random: SeededRandom): Fields => ({ endedAt: random.below(4) * 900_000 })

function extraOf(random: SeededRandom, fields: Record<string, readonly string[]>): string {
  const known = Object.entries(fields).filter(() => random.chance(0.6))
  if (known.length === 0) return ''
  return JSON.stringify(
    Object.fromEntries(known.map(([name, values]) => [name, random.pick(values)])),
  )
}

/**
 * Samples on a coarse grid of time, so that those of different series meet. No two of a series have
 * the same local time, unless the one replaces the other.
 */
function randomSamples(
  random: SeededRandom,
  series: string,
  firstDay: number,
  fallbackZone: string | null,
): StoredSample[] {
  const taken = new Set<number>()
  const samples: StoredSample[] = []
  for (let left = 120; left > 0; left--) {
    const startedAt = firstDay + random.below(61 * 24) * HOUR_MS + random.below(4) * 900_000
    const fields = (SERIES[series] as (random: SeededRandom) => Fields)(random)
    const sample: StoredSample = {
      series,
      startedAt,
      provider: random.pick(PROVIDERS),
      sourceType: random.pick(SOURCE_TYPES),
      appId: random.pick(['', 'com.example', 'org.example']),
      sampleType: '',
      workoutId: '',
      sport: '',
      timezoneOffset: random.pick(OFFSETS),
      timeZone: '',
      value: 0,
      diastolic: 0,
      text: '',
      extra: '',
      version: 2 * left,
      ...fields,
      endedAt: startedAt + (fields.endedAt ?? 0),
    }
    const local = startedAt + offsetAt(startedAt, sample, fallbackZone) * 1000
    if (taken.has(local)) continue
    taken.add(local)
    samples.push(sample)
    if (random.chance(0.15)) {
      const value = sample.value + 1
      samples.push({ ...sample, value, version: sample.version + (random.chance(0.5) ? 1 : -1) })
    }
  }
  return samples
}
