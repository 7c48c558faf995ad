import assert from 'node:assert/strict'
import { test } from 'node:test'
import polylineCodec from '@googlemaps/polyline-codec'
import {
  GARMIN_ACTIVITY,
  GARMIN_DETAILS,
} from '../../../../server/test/connectors/pages/garmin.pages.ts'
import { PageData } from '../page-data.ts'
import { mapActivities, mapActivityDetails } from './activities.mapper.ts'

/** Payloads are constructed in the form that public clients show. */

/** 2026-02-10T07:00:00+02:00 */
const START = Date.UTC(2026, 1, 10, 5)

function map(mapper: typeof mapActivities, body: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'garmin' })
  mapper(body, data)
  return data
}
const activity = (change: object = {}) =>
  map(mapActivities, { activities: [{ ...GARMIN_ACTIVITY, ...change }] })
const details = (change: object = {}) =>
  map(mapActivityDetails, { activityDetails: [{ ...GARMIN_DETAILS, ...change }] })

const NO_VALUES = {
  duration_active_second: null,
  elevation_maximum_meter: null,
  elevation_minimum_meter: null,
  power_source: null,
  power_mean: null,
  power_maximum: null,
  power_weighted_mean: null,
}
const VALUES = {
  ...NO_VALUES,
  title: 'Morning Run',
  sport_name: 'Trail Running',
  sport_slug: 'trail_running',
  heart_rate_mean: 151,
  heart_rate_maximum: 172,
  distance_meter: 5020.25,
  calories: 388,
  elevation_gain_meter: 84,
  speed_mean: 2.789,
  speed_maximum: 4.1,
  steps: 4900,
}

test('an activity is a workout of its watch', () => {
  const data = activity()
  const [workout] = data.summaries
  assert.ok(workout !== undefined)
  const { values, raw, ...frame } = workout
  assert.deepEqual(frame, {
    resource: 'workouts',
    recordId: '7654321012',
    sourceType: 'watch',
    appId: '',
    deviceModel: 'Forerunner 265',
    calendarDate: null,
    startedAt: START,
    endedAt: START + 1_800_000,
    timezoneOffset: 7200,
    timeZone: '',
    modifiedAt: START + 1_800_000,
  })
  const zones = [1, 2, 3, 4, 5, 6].map((zone) => [`heart_rate_zone_${zone}`, null])
  assert.deepEqual(values, {
    ...VALUES,
    ...Object.fromEntries(zones),
    heart_rate_minimum: null,
    map_polyline: null,
    map_summary_polyline: null,
  })
  assert.doesNotMatch(JSON.stringify(raw), /a-secret/)
  const [device] = data.toArrivedData().devices ?? []
  assert.deepEqual(
    [device?.device_manufacturer, device?.device_model, device?.source_type],
    ['Garmin', 'Forerunner 265', 'watch'],
  )
})

test('details are the same workout with a stream, zones and a route, and count above it', () => {
  const data = details()
  assert.deepEqual(data.quarantined, [])
  const [workout] = data.summaries
  assert.equal(workout?.recordId, activity().summaries[0]?.recordId)
  assert.equal(workout?.modifiedAt, START + 1_800_001)
  const values = workout?.values as Record<string, unknown>
  for (const [name, value] of Object.entries(VALUES)) assert.equal(values[name], value, name)
  assert.equal(values.heart_rate_minimum, 140)
  assert.notEqual(values.heart_rate_zone_6, null)
  const position = [60.17116, 24.93258]
  for (const line of [values.map_polyline, values.map_summary_polyline]) {
    assert.deepEqual(polylineCodec.decode(String(line), 5), [position, position, position])
  }
  const [stream] = data.streams.values()
  const second = START / 1000
  const always = (value: number) => [value, value, value]
  assert.deepEqual(stream, {
    time: [second, second + 1, second + 2],
    cadence: always(164),
    altitude: always(26.4),
    velocity_smooth: always(2.8),
    heartrate: [140, 141, 142],
    lat: always(60.17116),
    lng: always(24.93258),
    distance: [0, 2.8, 5.6],
    power: always(301),
    temperature: always(-3),
  })
  assert.doesNotMatch(JSON.stringify(workout?.raw), /a-secret|latitude/)
  assert.deepEqual(data.samples, [])
})

test('an activity that the user edited counts above both', () => {
  const edited = { ...GARMIN_ACTIVITY, activityName: 'Race', manual: true }
  const data = map(mapActivities, { manuallyUpdatedActivities: [edited] })
  assert.equal(data.summaries[0]?.modifiedAt, null)
  assert.equal(data.summaries[0]?.sourceType, 'app')
  assert.deepEqual(data.toArrivedData().devices, [])
})

test('of an activity of several sports the parts count and not their sum', () => {
  assert.deepEqual(activity({ isParent: true }).summaries, [])
  assert.equal(activity({ isParent: false, parentSummaryId: '1' }).summaries.length, 1)
  for (const sum of [
    details({ isParent: true }),
    details({ summary: { ...GARMIN_DETAILS.summary, isParent: true } }),
  ]) {
    assert.deepEqual([sum.summaries, sum.streams.size], [[], 0])
  }
})

test('points are in order, and a sample that lasts longer extends the workout', () => {
  const at = GARMIN_ACTIVITY.startTimeInSeconds
  const samples = [
    { startTimeInSeconds: at + 1900, heartRate: 0, bikeCadenceInRPM: 88 },
    { startTimeInSeconds: at + 60, heartRate: 120 },
    { startTimeInSeconds: at + 60, heartRate: 121 },
    { startTimeInSeconds: at + 30 },
  ]
  const data = details({ samples })
  assert.deepEqual(
    [...data.streams.values()],
    [{ time: [at + 60, at + 1900], heartrate: [121, null], cadence: [null, 88] }],
  )
  assert.equal(data.summaries[0]?.endedAt, START + 1_900_000)
  const moving = [0, 61, 60].map((movingDurationInSeconds, index) => ({
    startTimeInSeconds: at + index * 60,
    movingDurationInSeconds,
  }))
  const activeOf = (samples: readonly object[]) => {
    const values = details({ samples }).summaries[0]?.values as Record<string, unknown>
    return values.duration_active_second
  }
  assert.deepEqual([activeOf(moving), activeOf(moving.slice(0, 1))], [61, null])
  // As in the vendor's own example: samples of another year.
  const other = details({ samples: [{ startTimeInSeconds: at + 150_000_000, heartRate: 108 }] })
  assert.equal(other.summaries[0]?.endedAt, START + 1_800_000)
})

test('the device says where the data are from', () => {
  const sourceOf = (change: object) => activity(change).summaries[0]?.sourceType
  for (const [deviceName, source] of [
    ['fenix 8', 'watch'],
    ['Garmin Edge 1050', 'unknown'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    [7, 'unknown'],
  ] as const) {
    assert.equal(sourceOf({ deviceName }), source, String(deviceName))
  }
  assert.equal(sourceOf({ isWebUpload: true }), 'unknown')
})

test('wrong values are quarantined, and the rest of the message is stored', () => {
  for (const [change, reason] of [
    [{ startTimeInSeconds: 'x' }, 'invalid_start_date'],
    [{ distanceInMeters: 'far' }, 'invalid_value'],
    [{ maxHeartRateInBeatsPerMinute: 999 }, 'out_of_range'],
    [{ summaryId: null, activityId: {} }, 'invalid_field'],
  ] as const) {
    const wrong = { ...GARMIN_ACTIVITY, ...change }
    const data = map(mapActivities, { activities: [wrong, GARMIN_ACTIVITY] })
    assert.deepEqual(
      data.quarantined.map((item) => item.reason),
      [reason],
    )
    assert.equal(data.summaries.length, 1)
  }
  const at = GARMIN_ACTIVITY.startTimeInSeconds
  const samples = [
    { startTimeInSeconds: at, heartRate: 'fast', powerInWatts: 200 },
    { startTimeInSeconds: at + 1, latitudeInDegree: 91, heartRate: 130 },
    { startTimeInSeconds: null, heartRate: 130 },
    'sample',
  ]
  const data = details({ samples })
  assert.deepEqual(data.quarantined.map(({ reason }) => reason).sort(), [
    'invalid_start_date',
    'invalid_value',
    'not_an_object',
    'out_of_range',
  ])
  assert.deepEqual(
    [...data.streams.values()],
    [{ time: [at, at + 1], heartrate: [null, 130], power: [200, null] }],
  )
})

/** Types of the vendor that are no sport of the table. */
const OTHERS = ['OTHER', 'STOP_WATCH', 'FITNESS_EQUIPMENT']
/** All types that public clients list. */
const TYPES = `
RUNNING INDOOR_RUNNING OBSTACLE_RUN STREET_RUNNING TRACK_RUNNING TRAIL_RUNNING TREADMILL_RUNNING
ULTRA_RUN VIRTUAL_RUN CYCLING BMX CYCLOCROSS DOWNHILL_BIKING E_BIKE_FITNESS E_BIKE_MOUNTAIN
E_ENDURO_MTB ENDURO_MTB GRAVEL_CYCLING INDOOR_CYCLING MOUNTAIN_BIKING RECUMBENT_CYCLING ROAD_BIKING
TRACK_CYCLING VIRTUAL_RIDE HANDCYCLING INDOOR_HANDCYCLING BOULDERING ELLIPTICAL INDOOR_CARDIO HIIT
INDOOR_CLIMBING INDOOR_ROWING MOBILITY PILATES STAIR_CLIMBING STRENGTH_TRAINING YOGA MEDITATION
SWIMMING LAP_SWIMMING OPEN_WATER_SWIMMING WALKING CASUAL_WALKING SPEED_WALKING HIKING RUCKING
WINTER_SPORTS BACKCOUNTRY_SNOWBOARDING BACKCOUNTRY_SKIING CROSS_COUNTRY_SKIING_WS RESORT_SKIING
SNOWBOARDING_WS RESORT_SKIING_SNOWBOARDING_WS SKATE_SKIING_WS SKATING_WS SNOW_SHOE_WS
SNOWMOBILING_WS WATER_SPORTS BOATING_V2 BOATING FISHING_V2 FISHING KAYAKING_V2 KAYAKING
KITEBOARDING_V2 KITEBOARDING OFFSHORE_GRINDING_V2 OFFSHORE_GRINDING ONSHORE_GRINDING_V2
ONSHORE_GRINDING PADDLING_V2 PADDLING ROWING_V2 ROWING SAILING_V2 SAILING SNORKELING
STAND_UP_PADDLEBOARDING_V2 STAND_UP_PADDLEBOARDING SURFING_V2 SURFING WAKEBOARDING_V2 WAKEBOARDING
WATERSKIING WHITEWATER_RAFTING_V2 WHITEWATER_RAFTING WINDSURFING_V2 WINDSURFING TRANSITION_V2
BIKE_TO_RUN_TRANSITION_V2 BIKE_TO_RUN_TRANSITION RUN_TO_BIKE_TRANSITION_V2 RUN_TO_BIKE_TRANSITION
SWIM_TO_BIKE_TRANSITION_V2 SWIM_TO_BIKE_TRANSITION TEAM_SPORTS AMERICAN_FOOTBALL BASEBALL BASKETBALL
CRICKET FIELD_HOCKEY ICE_HOCKEY LACROSSE RUGBY SOCCER SOFTBALL ULTIMATE_DISC VOLLEYBALL
RACKET_SPORTS BADMINTON PADDELBALL PICKLEBALL PLATFORM_TENNIS RACQUETBALL SQUASH TABLE_TENNIS
TENNIS_V2 TENNIS BOXING BREATHWORK DANCE DISC_GOLF FLOOR_CLIMBING GOLF INLINE_SKATING JUMP_ROPE
MIXED_MARTIAL_ARTS MOUNTAINEERING ROCK_CLIMBING PARA_SPORTS WHEELCHAIR_PUSH_RUN WHEELCHAIR_PUSH_WALK
MULTI_SPORT`

test('every type of activity is a sport', () => {
  const sportOf = (activityType: unknown) => {
    const [workout] = activity({ activityType }).summaries
    return workout && 'sport_slug' in workout.values ? workout.values.sport_slug : undefined
  }
  for (const type of OTHERS) assert.equal(sportOf(type), 'other')
  for (const type of TYPES.trim().split(/\s+/)) assert.notEqual(sportOf(type), 'other', type)
  for (const [type, slug] of [
    ['E_ENDURO_MTB', 'electric_mountain_biking'],
    ['ENDURO_MTB', 'mountain_biking'],
    ['MOBILITY', 'flexibility'],
    ['OFFSHORE_GRINDING_V2', 'sailing'],
    ['SWIM_TO_BIKE_TRANSITION_V2', 'transition'],
    ['PARA_SPORTS', 'para_sports'],
    ['WHEELCHAIR_PUSH_RUN', 'wheelchair_run_pace'],
    ['WHEELCHAIR_PUSH_WALK', 'wheelchair_walk_pace'],
    ['LAP_SWIMMING', 'pool_swimming'],
    ['RESORT_SKIING_SNOWBOARDING_WS', 'downhill_skiing'],
    [7, 'other'],
  ]) {
    assert.equal(sportOf(type), slug)
  }
})
