import type { VendorPages } from '../vendor-pages.registry.ts'

/** Days in the form that public clients of 8Sleep read, with invented values. */

export const EIGHT_SLEEP_DAY = {
  day: '2026-02-10',
  score: 86,
  tnt: 14,
  processing: false,
  presenceStart: '2026-02-09T22:00:00.000Z',
  presenceEnd: '2026-02-10T06:05:00.000Z',
  presenceDuration: 29_100,
  sleepDuration: 27_600,
  lightDuration: 15_600,
  deepDuration: 5_400,
  remDuration: 6_600,
  latencyAsleepSeconds: 600,
  latencyOutSeconds: 300,
  sleepQualityScore: {
    total: 88,
    hrv: { score: 80, current: 61.5, average: 58.2 },
    heartRate: { score: 90, current: 54 },
    respiratoryRate: { score: 91, current: 14.2 },
    tempBedC: { average: 28.1 },
    tempRoomC: { average: 19.5 },
  },
  sleepRoutineScore: { total: 81 },
  sleepFitnessScore: { total: 84 },
  sessions: [
    {
      id: '1770674400',
      ts: '2026-02-09T22:00:00.000Z',
      stages: [
        { stage: 'awake', duration: 600 },
        { stage: 'light', duration: 15_600 },
        { stage: 'deep', duration: 5_400 },
        { stage: 'out', duration: 300 },
        { stage: 'rem', duration: 6_600 },
        { stage: 'awake', duration: 300 },
        { stage: 'out', duration: 300 },
      ],
      timeseries: {
        heartRate: [
          ['2026-02-09T22:00:00.000Z', 61],
          ['2026-02-09T22:05:00.000Z', 52.5],
        ],
        hrv: [['2026-02-09T22:05:00.000Z', 64]],
        respiratoryRate: [['2026-02-09T22:05:00.000Z', 14.5]],
        tempBedC: [['2026-02-09T22:05:00.000Z', 28.3]],
        tempRoomC: [['2026-02-09T22:05:00.000Z', 19.4]],
        tnt: [['2026-02-09T22:05:00.000Z', 1]],
      },
    },
  ],
} satisfies Record<string, unknown>

export const EIGHT_SLEEP_PAGES: Record<string, VendorPages> = {
  trends: { records: [EIGHT_SLEEP_DAY], page: (days) => ({ days }) },
}
