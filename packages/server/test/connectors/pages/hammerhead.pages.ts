import { fitFile } from '../../../../sandbox/src/providers/fit-file.ts'
import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form that public clients of the vendor show, with invented values. */

const START = Date.UTC(2026, 1, 5, 7)

export const HAMMERHEAD_ACTIVITY = {
  id: '192184.activity.06112a72-5f09-401f-a9a0-ef38d64e10e3',
  name: 'Morning Ride',
  createdAt: '2026-02-05T07:00:00.485Z',
  duration: 3_600_000,
  distance: 24_909.71,
}

export const HAMMERHEAD_DETAIL = {
  ...HAMMERHEAD_ACTIVITY,
  activityType: 'GRAVEL',
  description: '',
  polyline: '_p~iF~ps|U_ulLnnqC',
  updatedAt: '2026-02-05T08:06:30.000Z',
}

/** Three seconds of the ride, and the summary of the computer, whose clock is an hour ahead. */
export const HAMMERHEAD_FILE = fitFile(
  [0, 1, 2].map((second) => ({
    at: START + second * 1000,
    latitude: 48.17116 + second / 10_000,
    longitude: 11.93258,
    altitudeMeters: 526.4 + second,
    heartRate: 140 + second,
    cadence: 84,
    distanceMeters: 7 * second,
    metersASecond: 7,
    watts: 190,
    celsius: 3,
  })),
  {
    session: {
      from: START,
      to: START + 3_600_000,
      sport: 2,
      subSport: 46,
      movingSeconds: 3480,
      distanceMeters: 24_909.71,
      calories: 612,
      meanHeartRate: 141,
      highestHeartRate: 171,
      meanWatts: 187,
      highestWatts: 512,
      normalizedWatts: 203,
      ascentMeters: 450,
      offset: 3_600_000,
    },
  },
)

export const HAMMERHEAD_PAGES: Readonly<Record<string, VendorPages>> = {
  activities: {
    records: [HAMMERHEAD_ACTIVITY],
    page: (data) => ({
      totalItems: data.length,
      totalPages: 1,
      perPage: 25,
      currentPage: 1,
      data,
    }),
    details: [HAMMERHEAD_DETAIL, HAMMERHEAD_FILE],
  },
}
