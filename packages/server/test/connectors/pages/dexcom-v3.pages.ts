import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed in the form of Dexcom's documentation, with invented values. */

const dexcom = (recordType: string, ...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (list) => ({ recordType, recordVersion: '3.0', userId: 'p', records: list }),
})

const TIMES = {
  systemTime: '2026-02-06T09:12:35Z',
  displayTime: '2026-02-06T01:12:35-08:00',
  transmitterGeneration: 'g7',
  displayDevice: 'iOS',
}
const EVENT = { ...TIMES, eventStatus: 'created', eventSubType: null }

export const DEXCOM_PAGES: Readonly<Record<string, VendorPages>> = {
  egvs: dexcom('egv', {
    ...TIMES,
    recordId: 'r1',
    transmitterId: 't',
    transmitterTicks: 8762,
    value: 119,
    unit: 'mg/dL',
    trend: 'flat',
    trendRate: -0.2,
    status: null,
    rateUnit: 'mg/dL/min',
    displayApp: 'G7',
  }),
  calibrations: dexcom('calibration', { ...TIMES, recordId: 'c1', value: 121, unit: 'mg/dL' }),
  events: dexcom(
    'event',
    { ...EVENT, recordId: 'e1', eventType: 'carbs', value: '45', unit: 'grams' },
    {
      ...EVENT,
      recordId: 'e2',
      eventType: 'insulin',
      eventSubType: 'fastActing',
      value: '5',
      unit: 'units',
    },
    { ...EVENT, recordId: 'e3', eventType: 'bloodGlucose', value: '117', unit: 'mg/dL' },
    { ...EVENT, recordId: 'e4', eventType: 'notes', value: 'Ate out', unit: 'unknown' },
    {
      ...EVENT,
      recordId: 'e5',
      eventType: 'exercise',
      eventSubType: 'light',
      value: '30',
      unit: 'minutes',
    },
    {
      ...EVENT,
      recordId: 'e6',
      eventType: 'health',
      eventSubType: 'illness',
      value: null,
      unit: 'unknown',
    },
  ),
}
