import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  collectionOf,
  knownOf,
  mapRecords,
  REQUEST,
  reasonsOf,
} from '../../../../server/test/connectors/google-health-records.ts'
import { GOOGLE_RUN } from '../../../../server/test/connectors/pages/google-health.pages.ts'

const START = Date.UTC(2026, 1, 10, 22)

/** Every exercise type of the schema, by the slug that it is meant to have. */
const SPORTS: Readonly<Record<string, string>> = {
  american_football: 'FOOTBALL_AMERICAN',
  archery: 'ARCHERY',
  australian_football: 'FOOTBALL_AUSTRALIAN',
  badminton: 'BADMINTON',
  ballet: 'BALLET',
  barre: 'BARRE_CLASS',
  baseball: 'BASEBALL',
  basketball: 'BASKETBALL',
  beach_volleyball: 'VOLLEYBALL_BEACH',
  billiards: 'BILLIARDS',
  boot_camp: 'BOOTCAMP',
  bowling: 'BOWLING',
  boxing: 'BOXING',
  calisthenics: 'BODY_WEIGHT CALISTHENICS',
  canoeing: 'CANOEING',
  cardio_dance: 'ZUMBA',
  cheerleading: 'CHEERLEADING',
  circuit_training: 'CIRCUIT_TRAINING',
  climbing: 'CLIMBING',
  core_training: 'CORE_TRAINING',
  cricket: 'CRICKET',
  croquet: 'CROQUET',
  cross_country_skiing: 'CROSS_COUNTRY_SKI',
  cross_training: 'CROSS_TRAINING CROSSFIT',
  curling: 'CURLING',
  cycling: 'BIKING OUTDOOR_BIKE',
  dancing: 'BREAKDANCING DANCING HIP_HOP JAZZ_DANCE MODERN_DANCE',
  disc_sports: 'FRISBEE_PLAYING_GENERAL ULTIMATE_FRISBEE',
  electric_biking: 'ELECTRIC_BIKE',
  elliptical: 'ELLIPTICAL',
  equestrian_sports: 'EQUESTRIAN_SPORTS',
  exercise_class: 'EXERCISE_CLASS',
  fencing: 'FENCING',
  fishing: 'FISHING',
  fitness_gaming: 'FITNESS_GAMING',
  functional_strength_training: 'FUNCTIONAL_STRENGTH_TRAINING TRX',
  gardening: 'GARDENING HOEING MOWING_LAWN SHOVELING WEEDING',
  golf: 'GOLF',
  gymnastics: 'GYMNASTICS',
  hand_cycling: 'HAND_CYCLING',
  handball: 'HANDBALL',
  high_intensity_interval_training: 'HIIT INTERVAL_WORKOUT TABATA_WORKOUT',
  hiking: 'BACKPACKING HIKING',
  hockey: 'FIELD_HOCKEY HOCKEY',
  house_cleaning: 'CLEANING HOUSEHOLD_CHORES',
  hunting: 'HUNTING',
  ice_skating: 'ICE_SKATING SPEED_SKATING',
  indoor_climbing: 'INDOOR_CLIMBING',
  indoor_walking: 'TREADMILL_WALK',
  inline_skating: 'ROLLERBLADING ROLLER_SKATING',
  jiu_jitsu: 'JIU_JITSU',
  jump_rope: 'JUMPING_ROPE',
  kayaking: 'KAYAKING',
  kickboxing: 'KICKBOXING MUAY_THAI',
  kitesurfing: 'KITESURFING',
  lacrosse: 'LACROSSE',
  martial_arts: 'KARATE MARTIAL_ARTS TAEKWONDO',
  meditation: 'MEDITATE',
  mixed_cardio: 'AEROBIC_WORKOUT CARDIO_SCULPT CARDIO_WORKOUT',
  motocross: 'MOTOCROSS',
  motorcycling: 'MOTORCYCLE',
  mountain_biking: 'MOUNTAIN_BIKE',
  open_water_swimming: 'SWIMMING_OPEN_WATER',
  orienteering: 'ORIENTEERING',
  padel: 'PADEL',
  paragliding: 'PARAGLIDING',
  parkour: 'PARKOUR',
  pickleball: 'PICKELBALL',
  pilates: 'PILATES',
  polo: 'POLO',
  pool_swimming: 'SWIMMING_POOL',
  powerlifting: 'POWERLIFTING',
  racket_sports: 'RACKET_SPORTS',
  racquetball: 'RACQUETBALL',
  rock_climbing: 'ROCK_CLIMBING',
  rowing: 'ROWING',
  rowing_machine: 'ROWING_MACHINE',
  rucking: 'RUCKING',
  rugby: 'RUGBY',
  running: 'INCLINE_RUN RUNNING',
  sailing: 'SAILING',
  scootering: 'SCOOTERING',
  scuba_diving: 'DIVING SCUBA_DIVING',
  shooting: 'SHOOTING',
  skateboarding: 'SKATEBOARDING',
  skating_sports: 'SKATING',
  skiing: 'SKIING',
  sky_diving: 'SKYDIVING',
  snorkeling: 'SNORKELING',
  snow_sports: 'SNOW_SPORT',
  snowboarding: 'SNOWBOARDING',
  snowmobiling: 'SNOWMOBILING',
  snowshoeing: 'SNOWSHOEING',
  soccer: 'SOCCER',
  social_dance: 'BALLROOM_DANCE TANGO',
  softball: 'SOFTBALL',
  speed_walking: 'NORDIC_WALKING POWER_WALKING',
  squash: 'SQUASH',
  stair_climbing_machine: 'STAIRCLIMBER',
  stand_up_paddling: 'PADDLEBOARDING',
  stationary_biking: 'ASSAULT_BIKE SPINNING STATIONARY_BIKE',
  step_training: 'STEP_TRAINING',
  strength_training: 'FREE_WEIGHTS RESISTANCE_BANDS STRENGTH_TRAINING WEIGHT_MACHINES WEIGHTS',
  stretching: 'STRETCHING',
  surfing: 'SURFING',
  swim_bike_run: 'MULTISPORT',
  swimming: 'SWIMMING SYNCHRONIZED_SWIMMING',
  table_tennis: 'TABLE_TENNIS',
  tai_chi: 'TAI_CHI',
  tennis: 'TENNIS',
  track_and_field: 'TRACK_AND_FIELD',
  trail_running: 'TRAIL_RUN',
  trampoline: 'TRAMPOLINE',
  treadmill_running: 'TREADMILL',
  unicycling: 'UNICYCLING',
  volleyball: 'VOLLEYBALL',
  wakeboarding: 'WAKEBOARDING',
  walking: 'INCLINE_WALK STROLLER_WALK WALKING WALK_WITH_WEIGHTS',
  water_fitness: 'WATER_AEROBICS WATER_JOGGING',
  water_polo: 'WATER_POLO',
  water_skiing: 'WATER_SKIING',
  water_sports: 'FOILING WATER_SPORT WATER_VOLLEYBALL',
  weightlifting: 'WEIGHTLIFTING',
  wheelchair: 'WHEELCHAIR',
  windsurfing: 'WINDSURFING',
  wrestling: 'WRESTLING',
  yoga: 'YOGA YOGA_BIKRAM YOGA_HATHA YOGA_POWER YOGA_VINYASA',
}
/** Types that are no sport, or no certain one. */
const OTHER =
  'CARPENTRY ELECTRIC_SCOOTER MUSICAL_PERFORMANCE OTHER OUTDOOR_WORKOUT PAINTING SPORT WORKOUT EXERCISE_TYPE_UNSPECIFIED'

const withType = (exerciseType: unknown) => ({
  ...GOOGLE_RUN,
  exercise: { ...GOOGLE_RUN.exercise, exerciseType },
})

test('every type has its sport, or none on purpose', () => {
  const all = { ...SPORTS, other: OTHER }
  assert.equal(Object.values(all).join(' ').split(' ').length, 182)
  for (const [slug, types] of Object.entries(all)) {
    for (const type of types.split(' ')) {
      const [workout] = mapRecords('exercise', [withType(type)]).summaries
      assert.equal(knownOf(workout).sport_slug, slug, type)
    }
  }
  for (const odd of ['QUIDDITCH', 7, null]) {
    const [workout] = mapRecords('exercise', [withType(odd)]).summaries
    assert.equal(knownOf(workout).sport_slug, 'other')
  }
})

test('an exercise has the metrics of the vendor in the units of Salus', () => {
  const [workout] = mapRecords('exercise').summaries
  assert.deepEqual(
    [workout?.recordId, workout?.startedAt, workout?.timezoneOffset, workout?.sourceType],
    ['8001', START, -18_000, 'watch'],
  )
  assert.deepEqual(knownOf(workout), {
    title: 'Trail run',
    sport_name: 'Trail Running',
    sport_slug: 'trail_running',
    duration_active_second: 4200,
    heart_rate_mean: 148,
    distance_meter: 11_250.4,
    calories: 612.5,
    elevation_gain_meter: 182.5,
    speed_mean: 2.6785,
    steps: 11_873,
  })
})

const rate = (physicalTime: string, beatsPerMinute: unknown) => ({
  heartRate: { beatsPerMinute, sampleTime: { physicalTime } },
})
const RATES = {
  dataPoints: [
    rate('2026-02-10T22:00:10Z', '150'),
    rate('2026-02-10T22:00:05Z', '140'),
    rate('2026-02-10T21:59:00Z', '90'),
    rate('2026-02-10T22:00:07Z', 'x'),
  ],
}
const TRACK = `<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap>
<Track><Trackpoint><Time>2026-02-10T22:00:00.000Z</Time><Position><LatitudeDegrees>45.5</LatitudeDegrees>
<LongitudeDegrees>-73.25</LongitudeDegrees></Position><AltitudeMeters>51.5</AltitudeMeters>
<DistanceMeters>0.0</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint>
<Trackpoint><Time>2026-02-10T22:00:05Z</Time><DistanceMeters>14.5</DistanceMeters><Extensions><ns3:TPX>
<ns3:Speed>2.9</ns3:Speed><ns3:RunCadence>86</ns3:RunCadence></ns3:TPX></Extensions></Trackpoint>
<Trackpoint><Time>soon</Time></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>`

test('heart rates and the track are one stream, and heart rates fill what is missing', () => {
  const data = mapRecords('exercise', undefined, [RATES, { tcxData: TRACK }])
  assert.deepEqual(data.quarantined, [])
  const known = knownOf(data.summaries[0])
  assert.deepEqual(
    [known.heart_rate_minimum, known.heart_rate_maximum, known.heart_rate_mean],
    [140, 150, 148],
  )
  assert.equal(known.map_polyline, undefined)
  const seconds = START / 1000
  assert.deepEqual(
    [...data.streams.values()],
    [
      {
        time: [seconds, seconds + 5, seconds + 10],
        lat: [45.5, null, null],
        lng: [-73.25, null, null],
        altitude: [51.5, null, null],
        distance: [0, 14.5, null],
        heartrate: [120, 140, 150],
        cadence: [null, 172, null],
        velocity_smooth: [null, 2.9, null],
      },
    ],
  )
  const encoded = { tcxData: Buffer.from(TRACK).toString('base64') }
  const again = mapRecords('exercise', undefined, [RATES, encoded])
  assert.deepEqual([...again.streams], [...data.streams])
})

test('without heart rates and track there is no stream', () => {
  for (const details of [[], [{}, {}], [undefined, undefined], [7, { tcxData: '<x>' }]]) {
    assert.equal(mapRecords('exercise', undefined, details).streams.size, 0)
  }
})

test('a track is requested where the vendor has one', () => {
  const { details } = collectionOf('exercise')
  const indoors = { ...GOOGLE_RUN, exercise: { ...GOOGLE_RUN.exercise, exerciseMetadata: {} } }
  const requests = details?.({ dataPoints: [indoors, GOOGLE_RUN] }, REQUEST) ?? []
  const paths = requests.map((request) => ('path' in request ? request.path : ''))
  const rates = '/v4/users/me/dataTypes/heart-rate/dataPoints:reconcile'
  assert.deepEqual(paths, [
    rates,
    rates,
    '/v4/users/me/dataTypes/exercise/dataPoints/8001:exportExerciseTcx',
  ])
  assert.ok(requests.every(({ isOptional }) => isOptional))
})

test('a pace is the speed of an exercise that has none', () => {
  const speedOf = (metricsSummary: object) => {
    const record = { ...GOOGLE_RUN, exercise: { ...GOOGLE_RUN.exercise, metricsSummary } }
    return knownOf(mapRecords('exercise', [record]).summaries[0]).speed_mean
  }
  assert.equal(speedOf({ averagePaceSecondsPerMeter: 0.4 }), 2.5)
  const both = { averagePaceSecondsPerMeter: 0.4, averageSpeedMillimetersPerSecond: 2600 }
  assert.equal(speedOf(both), 2.6)
  for (const odd of [0, -1, 'fast', null]) {
    assert.equal(speedOf({ averagePaceSecondsPerMeter: odd }), undefined)
  }
})

test('a wrong exercise is quarantined, and fails no other', () => {
  const wrong = (change: object) => ({
    ...GOOGLE_RUN,
    exercise: { ...GOOGLE_RUN.exercise, ...change },
  })
  const metric = (change: object) => wrong({ metricsSummary: change })
  for (const [record, reason] of [
    [wrong({ interval: {} }), 'invalid_start_date'],
    [wrong({ activeDuration: 'long' }), 'invalid_value'],
    [metric({ caloriesKcal: -4 }), 'out_of_range'],
    [metric({ averageHeartRateBeatsPerMinute: '900' }), 'out_of_range'],
    [7, 'not_an_object'],
  ] as const) {
    const data = mapRecords('exercise', [record, GOOGLE_RUN])
    assert.deepEqual(reasonsOf(data), [`workouts ${reason}`])
    assert.equal(data.summaries.length, 1)
  }
})
