import { Nullable } from '@salus/contracts/schema-types'
import { type SeriesName, sampleSchema, series } from '@salus/contracts/series'
import Type from 'typebox'

const channel = (unit: string) =>
  Type.Array(Nullable(Type.Number()), {
    description: `Values in ${unit}; empty when none was recorded.`,
  })

/**
 * The stream of a workout by seconds: lists of equal length, or empty
 * (docs/contract/05-timeseries.md#streams).
 */
export const WorkoutStream = Type.Object(
  {
    time: Type.Array(Type.Integer(), { description: 'Times in Unix seconds.' }),
    cadence: channel('revolutions or steps per minute'),
    altitude: channel('m'),
    velocity_smooth: channel('m/s'),
    heartrate: Type.Array(Nullable(Type.Integer()), {
      description: 'Heart rates in bpm; empty when none was recorded.',
    }),
    lat: channel('degrees'),
    lng: channel('degrees'),
    distance: channel('m from the start'),
    power: channel('W'),
    resistance: channel('units of the device'),
    temperature: channel('°C'),
  },
  { title: 'WorkoutStream' },
)
export type WorkoutStream = Type.Static<typeof WorkoutStream>

/** Series of a sleep's stream, in the order of its fields. */
export const SLEEP_STREAM_SERIES = ['hrv', 'heartrate', 'hypnogram', 'respiratory_rate'] as const

const samplesOf = (name: SeriesName) => Type.Array(sampleSchema(series(name)))

/**
 * Samples that the source of a sleep recorded during it (docs/contract/05-timeseries.md#streams).
 */
export const SleepStream = Type.Object(
  {
    hrv: samplesOf('hrv'),
    heartrate: samplesOf('heartrate'),
    hypnogram: samplesOf('hypnogram'),
    respiratory_rate: samplesOf('respiratory_rate'),
  },
  { title: 'SleepStream' },
)
