import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form that public clients of the vendor show, with invented values. */

export const ZWIFT_ACTIVITY = {
  id: '1612345678900123456',
  id_str: '1612345678900123456',
  profileId: 1_234_567,
  worldId: 1,
  name: 'Watopia',
  sport: 'CYCLING',
  startDate: '2026-02-05T17:04:11.000+0000',
  endDate: '2026-02-05T18:06:41.000+0000',
  duration: '1:2',
  movingTimeInMs: 3_690_000,
  distanceInMeters: 31_207.4,
  totalElevation: 312.5,
  calories: 701.3,
  avgWatts: 187.6,
  avgHeartRate: 141.4,
  autoClosed: false,
  privacy: 'PUBLIC',
  fitFileBucket: 's3-fit-prd-uswest2-zwift',
  fitFileKey: 'prod/1234567/ab',
}

const FILE = 'https://us-or-rly101.zwift.com/api/activities/1612345678900123456/file'
export const ZWIFT_DETAIL = {
  ...ZWIFT_ACTIVITY,
  maxHeartRate: 171,
  maxWatts: 512,
  fitnessData: { status: 'AVAILABLE', fullDataUrl: `${FILE}/full`, smallDataUrl: `${FILE}/small` },
}

/** Three seconds of the ride, with a pause between the last two. */
export const ZWIFT_SECONDS = {
  timeInSec: [0, 1, 46],
  heartRate: [0, 121, 124],
  powerInWatts: [180, 190, 0],
  cadencePerMin: [84, 85, 0],
  distanceInCm: [0, 845, 1690],
  speedInCmPerSec: [845, 845, 0],
  altitudeInCm: [1250, 1260, 1260],
  latlng: [
    [-11.64, 166.95],
    [-11.64, 166.96],
    [-11.64, 166.97],
  ],
}

export const ZWIFT_PAGES: Readonly<Record<string, VendorPages>> = {
  activities: {
    records: [ZWIFT_ACTIVITY],
    page: (records) => records,
    details: [{ answer: ZWIFT_DETAIL, details: [ZWIFT_SECONDS] }],
  },
}
