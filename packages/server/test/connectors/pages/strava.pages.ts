import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form of the documentation of Strava, constructed with invented values. */

/** An activity as a list has it. */
export const STRAVA_RUN = {
  resource_state: 2,
  athlete: { id: 9_182_736, resource_state: 1 },
  id: 16_012_345_678,
  name: 'Around the lake',
  distance: 8046.7,
  moving_time: 2520,
  elapsed_time: 2700,
  total_elevation_gain: 41.5,
  type: 'Run',
  sport_type: 'TrailRun',
  start_date: '2026-07-04T05:10:20Z',
  start_date_local: '2026-07-03T22:10:20Z',
  timezone: '(GMT-08:00) America/Los_Angeles',
  utc_offset: -25_200,
  start_latlng: [47.61, -122.2],
  map: { id: 'a16012345678', summary_polyline: 'abc~12', resource_state: 2 },
  trainer: false,
  commute: false,
  manual: false,
  private: true,
  visibility: 'only_me',
  gear_id: null,
  average_speed: 3.193,
  max_speed: 4.9,
  average_cadence: 83.5,
  average_temp: 17,
  average_watts: 251.5,
  max_watts: 390,
  weighted_average_watts: 262,
  device_watts: true,
  kilojoules: 633.8,
  has_heartrate: true,
  average_heartrate: 151.4,
  max_heartrate: 171,
  elev_high: 61.2,
  elev_low: 22.4,
  upload_id: 17_000_000_001,
  external_id: 'run.fit',
}

/** The same with all fields, as far as anything is read from them. */
export const STRAVA_DETAIL = {
  ...STRAVA_RUN,
  resource_state: 3,
  map: { ...STRAVA_RUN.map, polyline: 'abc~1234', resource_state: 3 },
  calories: 602.4,
  device_name: 'Forerunner 965',
  description: null,
  segment_efforts: [{ id: 1, name: 'Hill' }],
}

const stream = (data: readonly unknown[]) => ({
  data,
  series_type: 'time',
  original_size: data.length,
  resolution: 'high',
})

export const STRAVA_STREAMS = {
  time: stream([0, 1, 1, 4]),
  latlng: stream([[47.61, -122.2], [47.611, -122.201], [47.6111, -122.2011], null]),
  distance: stream([0, 3.1, 3.1, 12.4]),
  altitude: stream([22.4, 22.4, 22.4, 22.6]),
  velocity_smooth: stream([0, 3.1, 3.1, 3.1]),
  heartrate: stream([0, 120, 121, 126]),
  cadence: stream([80, 82, 82, null]),
  watts: stream([null, 240, 241, 255]),
  temp: stream([17, 17, 17, 18]),
  moving: stream([false, true, true, true]),
  grade_smooth: stream([0, 0.1, 0.1, 0.4]),
}

export const STRAVA_ATHLETE = {
  id: 9_182_736,
  resource_state: 2,
  firstname: 'Anna',
  lastname: 'Example',
  city: 'Bellevue',
  sex: 'F',
  weight: 61.2,
}

export const STRAVA_PAGES: Readonly<Record<string, VendorPages>> = {
  activities: {
    records: [STRAVA_RUN],
    page: (records) => records,
    details: [STRAVA_DETAIL, STRAVA_STREAMS],
  },
  athlete: { records: [STRAVA_ATHLETE], page: ([record]) => record },
}
