import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed records in the form in which clients of the Suunto Cloud API read them. */

export const SUUNTO_WORKOUT = {
  workoutId: 0,
  workoutKey: '65c9a1f0e4b0a1b2c3d4e5f6',
  activityId: 22,
  startTime: Date.UTC(2026, 1, 10, 7, 15),
  stopTime: Date.UTC(2026, 1, 10, 8, 20),
  totalTime: 3780.4,
  timeOffsetInMinutes: 120,
  totalDistance: 9850.5,
  stepCount: 8700,
  energyConsumption: 640,
  totalAscent: 210.5,
  totalDescent: 208,
  maxAltitude: 151,
  minAltitude: -3.5,
  avgSpeed: 2.6,
  maxSpeed: 4.1,
  hrdata: { workoutAvgHR: 148, workoutMaxHR: 171, avg: 148, hrmax: 171, max: 189, min: 92 },
  gear: {
    manufacturer: 'Suunto',
    name: 'Suunto Race',
    displayName: 'Suunto Race S',
    serialNumber: 'S123',
    swVersion: '2.40.44',
  },
}

export const SUUNTO_NIGHT = {
  timestamp: '2026-02-10T06:40:00+02:00',
  entryData: {
    SleepId: 1770690000,
    BedtimeStart: '2026-02-09T23:10:00+02:00',
    BedtimeEnd: '2026-02-10T06:40:00+02:00',
    Duration: 27_000,
    DeepSleepDuration: 5100,
    LightSleepDuration: 14_400,
    REMSleepDuration: 5400,
    SleepOnsetLatencyDuration: 600,
    WakeAfterSleepOnsetDuration: 1200,
    HRAvg: 53.4,
    HRMin: 47,
    AvgHRV: 61,
    SleepQualityScore: 82,
    IsNap: false,
  },
}

export const SUUNTO_SAMPLES = [
  {
    timestamp: '2026-02-10T10:00:00+02:00',
    entryData: { HR: 71, StepCount: 340, EnergyConsumption: 125_600, SpO2: 0.97, HRV: 44 },
  },
  { timestamp: '2026-02-10T10:10:00+02:00', entryData: { HR: 1.25, StepCount: 120, SpO2: null } },
]

export const SUUNTO_PAGES: Readonly<Record<string, VendorPages>> = {
  workouts: { records: [SUUNTO_WORKOUT], page: (payload) => ({ error: null, payload }) },
  sleep: { records: [SUUNTO_NIGHT], page: (records) => records },
  activity: { records: SUUNTO_SAMPLES, page: (records) => records },
}
