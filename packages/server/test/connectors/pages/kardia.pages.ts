import type { VendorPages } from '../vendor-pages.registry.ts'

/** A recording in the form of AliveCor's API for clinics, constructed with invented values. */

const block = (samples: Record<string, readonly number[]>) => ({
  frequency: 300,
  mainsFrequency: 50,
  amplitudeResolution: 500,
  numLeads: Object.keys(samples).length,
  samples,
})

export const KARDIA_RECORDING = {
  id: 'q3v8r1k5n7c2x9z4b6m0w3t5y',
  patientID: 'hT7pQ2sV9kLmX4cB1nR8wZ6yF3dJ5gAe',
  duration: 30_000,
  heartRate: 88,
  algorithmDetermination: 'afib',
  note: '',
  tags: [],
  recordedAt: '2026-02-03T08:15:30+05:30',
  deviceInfo: { hardwareType: 'kardia_6l', firmwareRevision: '1.3.4', serialNumber: '20042543K' },
  qtMeasurement: { qt: { Value: 354 }, rr: { Value: 682 } },
  data: {
    raw: block({ leadI: [100, -200, 0], leadII: [4000, 20, 2], AVR: [-2050, 90, -1] }),
    enhanced: block({ leadI: [99, -199, 1], leadII: [3990, 19, 1], AVR: [-2040, 89, 0] }),
  },
}

export const KARDIA_PAGES: Readonly<Record<string, VendorPages>> = {
  recordings: {
    records: [KARDIA_RECORDING],
    page: (data) => ({
      totalCount: data.length,
      data,
      pageInfo: { startCursor: 'a', endCursor: 'b', hasNextPage: false },
    }),
  },
}
