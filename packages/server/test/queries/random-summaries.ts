import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { OFFSETS, PROVIDERS, SOURCE_TYPES, uuidOf } from './random-sources.ts'
import { formatDay, offsetAt } from './reference/floating-time.ts'
import type { StoredSummary, StoredValue } from './reference/person-data.ts'
import type { SeededRandom } from './seeded-random.ts'

type Values = Record<string, StoredValue>

interface Maker {
  count: number
  /** Start of one in milliseconds after the first day, and its length. */
  startOf: (random: SeededRandom) => number
  lengthOf: (random: SeededRandom) => number
  valuesOf: (random: SeededRandom, startedAt: number, lengthMs: number) => Values
}

const anyTime = (random: SeededRandom): number =>
  random.below(61) * DAY_MS + random.below(24 * 12) * 300_000

/** Each value known in about four of five. */
function partly(random: SeededRandom, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.8)))
}

const MAKERS: Record<string, Maker> = {
  sleep: {
    count: 130,
    startOf: (random) => random.below(61) * DAY_MS + (18 + random.below(12)) * HOUR_MS,
    lengthOf: (random) => (2 * 12 + random.below(100)) * 300_000,
    valuesOf: sleepValues,
  },
  activity: {
    count: 150,
    startOf: (random) => random.below(61) * DAY_MS,
    lengthOf: () => 0,
    valuesOf: (random) =>
      partly(random, {
        calories_total: random.below(12_000) / 4,
        steps: random.below(20_000),
        distance_meter: random.below(40_000) / 4,
        floors_climbed: random.below(6),
        duration_active_second: 60 * random.below(200),
        intensity_high_second: 60 * random.below(50),
        heart_rate_resting: 50 + random.below(80) / 4,
        wheelchair_use: random.chance(0.5),
      }),
  },
  workouts: {
    count: 60,
    startOf: anyTime,
    lengthOf: (random) => random.below(24) * 300_000,
    valuesOf: (random) =>
      partly(random, {
        title: random.pick(['Morning run', 'née 😀', '', "it's \\"]),
        sport_name: random.pick(['Running', 'Cycling']),
        sport_slug: random.pick(['running', 'cycling', 'yoga']),
        duration_active_second: 60 * random.below(100),
        heart_rate_mean: 90 + random.below(60),
        heart_rate_zone_1: 60 * random.below(30),
        distance_meter: random.below(80_000) / 4,
        calories: random.below(4000) / 4,
        steps: random.below(9000),
        power_source: random.pick(['measured', 'estimated']),
      }),
  },
  body: {
    count: 60,
    startOf: anyTime,
    lengthOf: () => 0,
    valuesOf: (random) =>
      partly(random, {
        weight_kilogram: 60 + random.below(80) / 4,
        fat_mass_percentage: 10 + random.below(80) / 4,
        body_mass_index: 20 + random.below(40) / 4,
      }),
  },
  meal: {
    count: 60,
    startOf: anyTime,
    lengthOf: () => 0,
    valuesOf: (random) =>
      partly(random, {
        name: random.pick(['breakfast', 'lunch', 'dinner']),
        calories: random.below(4000) / 4,
        protein_gram: random.below(200) / 4,
        vitamin_a_milligram: random.below(100) / 64,
      }),
  },
  menstrual_cycle: {
    count: 12,
    startOf: (random) => random.below(61) * DAY_MS,
    lengthOf: (random) => random.below(30) * DAY_MS,
    valuesOf: cycleValues,
  },
  profile: {
    count: 6,
    startOf: anyTime,
    lengthOf: () => 0,
    valuesOf: (random) =>
      partly(random, {
        height_centimeter: 150 + random.below(40),
        birth_date: formatDay(Date.UTC(1950 + random.below(50), random.below(12), 1)),
        wheelchair_use: random.chance(0.5),
        gender: random.pick(['female', 'male', 'other']),
        sex: random.pick(['female', 'male']),
      }),
  },
}

/** Offsets of the stages of a sleep from its start, without gaps. */
function stagesOf(random: SeededRandom, lengthMs: number): Values {
  if (random.chance(0.3)) return {}
  const ends: number[] = []
  const types: number[] = []
  for (let end = 0; end < lengthMs / 1000; ) {
    end += 300 * (1 + random.below(12))
    ends.push(end)
    types.push(random.pick([1, 2, 2, 3, 4, 4, -1, 5]))
  }
  return {
    stage_start_offset_second: [0, ...ends.slice(0, -1)],
    stage_end_offset_second: ends,
    stage_type: types,
  }
}

function sleepValues(random: SeededRandom, _startedAt: number, lengthMs: number): Values {
  const seconds = lengthMs / 1000
  const asleep = Math.round(seconds * (0.6 + 0.4 * random.next()))
  return {
    ...partly(random, {
      duration_second: seconds,
      stage_asleep_second: asleep,
      stage_rem_second: Math.round(asleep * 0.3 * random.next()),
      stage_deep_second: Math.round(asleep * 0.3 * random.next()),
      latency_second: 60 * random.below(80),
      heart_rate_resting: 45 + random.below(20),
      heart_rate_minimum: 40 + random.below(20),
      efficiency: random.pick([61.3, 72.7, 77.1, 84.9, 93.3]),
      respiratory_rate: 12 + random.below(20) / 4,
      state: random.pick(['tentative', 'confirmed']),
      score: random.below(101),
    }),
    // One of the two, both or none; often enough that nights have seven others to compare with.
    ...(random.chance(0.5) && { hrv_mean_rmssd: 20 + random.below(200) / 4 }),
    ...(random.chance(0.9) && { hrv_mean_sdnn: 30 + random.below(200) / 4 }),
    type: random.chance(0.85) ? 'long_sleep' : 'short_sleep',
    ...stagesOf(random, lengthMs),
  }
}

function cycleValues(random: SeededRandom, startedAt: number, lengthMs: number): Values {
  const day = (after: number): string => formatDay(startedAt + after * DAY_MS)
  const list = (make: () => Record<string, unknown>): string =>
    random.chance(0.2)
      ? ''
      : JSON.stringify(
          Array.from({ length: random.below(5) }, (_, at) => ({ date: day(at), ...make() })),
        )
  return {
    period_start: formatDay(startedAt),
    ...partly(random, {
      period_end: day(4),
      cycle_end: formatDay(startedAt + lengthMs),
      is_predicted: random.chance(0.5),
    }),
    menstrual_flow: list(() => ({ flow: random.pick(['none', 'light', 'medium', 'heavy']) })),
    cervical_mucus: list(() => ({ quality: random.pick(['dry', 'sticky']) })),
    intermenstrual_bleeding: list(() => ({})),
    sexual_activity: list(() => ({ protection_used: random.pick([true, false, null]) })),
    basal_body_temperature: list(() => ({ value: 36 + random.below(8) / 8 })),
  }
}

/** Summaries of all resources; several sources a day, some replaced, some removed. */
export function randomSummaries(
  random: SeededRandom,
  firstDay: number,
  fallbackZone: string | null,
): StoredSummary[] {
  let serial = 0
  return Object.entries(MAKERS).flatMap(([resource, maker]) =>
    Array.from({ length: maker.count }, () =>
      versionsOf(random, makeSummary(random, resource, maker, firstDay, fallbackZone, serial++)),
    ).flat(),
  )
}

function makeSummary(
  random: SeededRandom,
  resource: string,
  maker: Maker,
  firstDay: number,
  fallbackZone: string | null,
  serial: number,
): StoredSummary {
  // Seconds of their own keep the times of sessions apart.
  const ownSecond = ['activity', 'menstrual_cycle'].includes(resource) ? 0 : serial * 1000
  const startedAt = firstDay + maker.startOf(random) + (ownSecond % 300_000)
  const lengthMs = maker.lengthOf(random)
  const timezoneOffset = random.pick(OFFSETS)
  const local =
    startedAt + offsetAt(startedAt, { timezoneOffset, timeZone: '' }, fallbackZone) * 1000
  const isDaily = resource === 'activity' || resource === 'menstrual_cycle'
  const createdAt = startedAt + lengthMs + serial * 1000
  return {
    resource,
    id: uuidOf(resource, serial),
    provider: random.pick(PROVIDERS),
    sourceType: random.pick(SOURCE_TYPES),
    appId: random.pick(['', 'com.example']),
    externalId: random.pick(['', `record-${serial}`]),
    calendarDate: isDaily || random.chance(0.3) ? formatDay(isDaily ? startedAt : local) : null,
    startedAt,
    endedAt: startedAt + lengthMs,
    timezoneOffset,
    timeZone: timezoneOffset === 3600 && random.chance(0.5) ? 'Africa/Lagos' : '',
    values: maker.valuesOf(random, startedAt, lengthMs),
    createdAt,
    updatedAt: createdAt + random.below(1000) * 1000,
    version: 10,
    isRemoved: false,
  }
}

/** The summary, sometimes with an older version, and sometimes removed by a newer one. */
function versionsOf(random: SeededRandom, summary: StoredSummary): StoredSummary[] {
  if (random.chance(0.1)) return [{ ...summary, version: 9, values: {} }, summary]
  if (random.chance(0.05)) return [summary, { ...summary, version: 11, isRemoved: true }]
  return [summary]
}
