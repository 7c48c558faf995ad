import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POLAR_EXERCISE } from '../../../../server/test/connectors/pages/polar.pages.ts'
import { toSport } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { mapExercises } from './exercises.mapper.ts'
import { sportOf } from './polar-sports.ts'

/** 17:15:20 at an offset of -210 minutes. */
const START = Date.UTC(2026, 1, 10, 20, 45, 20)
const SECOND = START / 1000

function map(answer: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'polar' })
  mapExercises(answer, data)
  return data
}

const reasonsOf = (data: PageData) =>
  data.quarantined.map(({ resource, reason }) => `${resource} ${reason}`)

test('an exercise is a workout at its local time, whose offset is in minutes', () => {
  const { summaries, quarantined } = map([POLAR_EXERCISE])
  assert.deepEqual(quarantined, [])
  const [{ values, raw, ...frame } = assert.fail()] = summaries
  assert.deepEqual(frame, {
    resource: 'workouts',
    recordId: 'Kx7Qw2Lm',
    sourceType: 'watch',
    appId: '',
    deviceModel: 'Polar Vantage V3',
    calendarDate: null,
    startedAt: START,
    endedAt: START + (45 * 60 + 12.5) * 1000,
    timezoneOffset: -12_600,
    timeZone: '',
    modifiedAt: null,
  })
  const known = Object.entries(values).filter(([, value]) => value !== null)
  assert.deepEqual(Object.fromEntries(known), {
    sport_name: 'Trail Running',
    sport_slug: 'trail_running',
    calories: 412,
    distance_meter: 7150.5,
    heart_rate_mean: 151,
    // Of the samples; the vendor has its own mean and maximum.
    heart_rate_minimum: 118,
    heart_rate_maximum: 176,
    heart_rate_zone_1: 0,
    heart_rate_zone_2: 0,
    // 118 for two seconds, 121 for one, and 124 for a minute, at a maximum of 190.
    heart_rate_zone_3: 63,
    heart_rate_zone_4: 0,
    heart_rate_zone_5: 0,
    heart_rate_zone_6: 0,
  })
  assert.deepEqual(
    [Object.hasOwn(raw as object, 'samples'), 'route' in (raw as object)],
    [false, false],
  )
})

test('samples of different rates and the route are one stream by second', () => {
  const [stream] = map([POLAR_EXERCISE]).streams.values()
  assert.deepEqual(stream, {
    time: [SECOND, SECOND + 1, SECOND + 2, SECOND + 3, SECOND + 4],
    // 0 and null mean that the sensor was off.
    heartrate: [null, 118, null, 121, 124],
    velocity_smooth: [2.5, null, 3, null, null],
    altitude: [201.5, 201.7, 202, null, null],
    lat: [61.5, null, 61.50001, null, null],
    lng: [-149.25, null, -149.25002, null, null],
  })
})

test('each type of samples has its channel and unit', () => {
  const samples = ['0', '1', '2', '3', '4', '8', '9', '10', '5', '6', '7', '11', '99'].map(
    (type) => ({ 'recording-rate': 5, 'sample-type': type, data: '36' }),
  )
  const [stream] = map([{ ...POLAR_EXERCISE, samples, route: null }]).streams.values()
  assert.deepEqual(stream, {
    time: [SECOND],
    heartrate: [36],
    velocity_smooth: [10],
    cadence: [36],
    altitude: [36],
    power: [36],
    temperature: [36],
    distance: [36],
  })
  const other = [{ recording_rate: 5, sample_type: 3, data: '36' }]
  const [read] = map([{ ...POLAR_EXERCISE, samples: other, route: null }]).streams.values()
  assert.deepEqual(read, { time: [SECOND], altitude: [36] })
})

test('durations of ISO 8601', () => {
  const lasts = (duration: unknown) => {
    const [workout] = map([{ ...POLAR_EXERCISE, duration }]).summaries
    return workout && (workout.endedAt - workout.startedAt) / 1000
  }
  assert.equal(lasts('PT2H44M'), 9840)
  assert.equal(lasts('PT47M12.500S'), 2832.5)
  assert.equal(lasts('PT14295.773S'), 14_295.773)
  assert.equal(lasts('P1DT1S'), 86_401)
  for (const wrong of [null, 7, '', 'P', 'PT', 'two hours', 'PT-5S']) {
    assert.equal(lasts(wrong), undefined, String(wrong))
  }
})

test('without an offset the local time is stored, and without a sensor there is no stream', () => {
  const { start_time_utc_offset: _offset, samples: _samples, ...rest } = POLAR_EXERCISE
  const data = map([{ ...rest, route: [], heart_rate: null, device: null, distance: 0 }])
  const [workout = assert.fail()] = data.summaries
  assert.equal(workout.startedAt, Date.UTC(2026, 1, 10, 17, 15, 20))
  assert.deepEqual([workout.timezoneOffset, workout.sourceType], [null, 'unknown'])
  assert.deepEqual([data.streams.size, data.toArrivedData().devices], [0, []])
  assert.equal((workout.values as Record<string, unknown>).distance_meter, null)
})

test('one exercise, an answer without a body, and hyphens are read too', () => {
  const { start_time, start_time_utc_offset, ...rest } = POLAR_EXERCISE
  const hyphens = {
    ...rest,
    'start-time': start_time,
    'start-time-utc-offset': start_time_utc_offset,
  }
  assert.equal(map(POLAR_EXERCISE).summaries[0]?.startedAt, START)
  assert.equal(map([hyphens]).summaries[0]?.startedAt, START)
  assert.deepEqual(map(undefined).summaries, [])
})

test('what is wrong is quarantined with its reason, and the rest is stored', () => {
  for (const [change, reason] of [
    [{ start_time: '2026-02-10T17:15:20Z' }, 'workouts invalid_start_date'],
    [{ start_time: null }, 'workouts invalid_start_date'],
    [{ start_time_utc_offset: '180' }, 'workouts invalid_field'],
    [{ start_time_utc_offset: 10_800 }, 'workouts invalid_field'],
    [{ duration: 'PT' }, 'workouts invalid_end_date'],
    [{ calories: 'many' }, 'workouts invalid_value'],
    [{ heart_rate: { average: 900 } }, 'workouts out_of_range'],
    [{ heart_rate: 7 }, 'workouts not_an_object'],
  ] as const) {
    const data = map([{ ...POLAR_EXERCISE, id: 'wrong', ...change }, POLAR_EXERCISE, 7])
    assert.deepEqual(reasonsOf(data), ['workouts not_an_object', reason])
    assert.deepEqual(
      data.summaries.map(({ recordId }) => recordId),
      ['Kx7Qw2Lm'],
    )
  }
  const samples = [
    7,
    { 'recording-rate': 0, 'sample-type': '0', data: '1,2' },
    { 'recording-rate': 1, 'sample-type': '3', data: null },
    { 'recording-rate': 1, 'sample-type': '4', data: ' ,x,200' },
  ]
  const route = [
    { latitude: 91, longitude: 0, time: 'PT1S' },
    { latitude: 1, longitude: 1 },
  ]
  const data = map([{ ...POLAR_EXERCISE, samples, route }])
  assert.equal(data.quarantined.length, 5)
  assert.ok(data.quarantined.every(({ resource }) => resource === 'workout_stream'))
  assert.deepEqual([...data.streams.values()], [{ time: [SECOND + 2], power: [200] }])
  assert.equal(data.summaries.length, 1)
})

/** Every name of Polar Flow that is known, by its sport. */
const SPORTS: Readonly<Record<string, string>> = {
  american_football: 'AMERICAN_FOOTBALL',
  auto_racing: 'MOTORSPORTS_CAR_RACING',
  backcountry_skiing: 'BACKCOUNTRY_SKIING',
  badminton: 'BADMINTON',
  ballet: 'BALLET_DANCING',
  barre: 'LES_MILLS_BARRE',
  baseball: 'BASEBALL FINNISH_BASEBALL',
  basketball: 'BASKETBALL PARASPORTS_WHEELCHAIR_BASKETBALL',
  beach_volleyball: 'BEACH_VOLLEYBALL',
  biathlon: 'BIATHLON',
  boot_camp: 'BOOTCAMP',
  boxing: 'BOXING FITNESS_BOXING',
  calisthenics: 'CALISTHENICS',
  canoeing: 'WATERSPORTS_CANOEING',
  cardio_dance: 'FITNESS_DANCING LES_MILLS_BODYJAM LES_MILLS_SHBAM',
  circuit_training: 'CIRCUIT_TRAINING',
  climbing: 'CLIMBING',
  core_training: 'CORE LES_MILLS_CXWORKS',
  cricket: 'CRICKET',
  cross_country_skiing:
    'CROSS-COUNTRY_SKIING ORIENTEERING_SKI XC_SKIING_CLASSIC XC_SKIING_FREESTYLE CROSS-COUNTRY_SKIING_CLASSIC CROSS-COUNTRY_SKIING_FREESTYLE',
  cross_training: 'CROSS_FIT FITNESS_RACING',
  curling: 'CURLING',
  cycling: 'CYCLING DUATHLON_CYCLING TRIATHLON_CYCLING',
  dancing: 'DANCING JAZZ_DANCING MODERN_DANCING SHOW_DANCING STREET_DANCING',
  disc_golf: 'FRISBEEGOLF',
  disc_sports: 'ULTIMATE',
  downhill_skiing: 'DOWNHILL_SKIING TELEMARK_SKIING',
  duathlon: 'DUATHLON OFFROADDUATHLON',
  electric_biking: 'E_BIKE',
  elliptical: 'CROSS_TRAINER CROSS-TRAINER',
  equestrian_sports: 'RIDING TROTTING',
  exercise_class: 'GROUP_EXERCISE LES_MILLS_BODYATTACK LES_MILLS_BODYCOMBAT',
  flexibility: 'MOBILITY_DYNAMIC MOBILITY_STATIC',
  floorball: 'FLOORBALL',
  functional_strength_training: 'FUNCTIONAL_TRAINING',
  golf: 'GOLF',
  gravel_cycling: 'GRAVEL',
  gymnastics: 'GYMNASTICK',
  hand_cycling: 'PARASPORTS_HAND_CYCLING',
  handball: 'HANDBALL',
  high_intensity_interval_training: 'HIIT LES_MILLS_GRIT_ATHLETIC LES_MILLS_GRIT_CARDIO',
  hiking: 'HIKING',
  hockey: 'FIELD_HOCKEY',
  ice_hockey: 'ICE_HOCKEY PARASPORTS_SLED_HOCKEY',
  ice_skating: 'ICE_SKATING',
  indoor_climbing: 'VERTICALSPORTS_WALLCLIMBING',
  inline_skating: 'INLINE_SKATING ROLLER_BLADING ROLLER_SKATING',
  judo: 'JUDO_MARTIAL_ARTS',
  jump_rope: 'JUMP_ROPE',
  kayaking: 'WATERSPORTS_KAYAKING',
  kickboxing: 'KICKBOXING_MARTIAL_ARTS',
  kitesurfing: 'WATERSPORTS_KITESURFING',
  martial_arts: 'FITNESS_MARTIAL_ARTS TAEKWONDO_MARTIAL_ARTS',
  mind_and_body: 'BODY_AND_MIND LES_MILLS_BODYBALANCE',
  mixed_cardio: 'AEROBICS',
  motocross: 'MOTORSPORTS_ENDURO MOTORSPORTS_HARD_ENDURO MOTORSPORTS_MOTOCROSS',
  motorcycling: 'MOTORSPORTS_ROADRACING',
  mountain_biking:
    'MOUNTAIN_BIKING OFFROADDUATHLON_CYCLING OFFROADTRIATHLON_CYCLING ORIENTEERING_MTB',
  obstacle_running: 'OBSTACLE_COURSE_RACING',
  open_water_swimming: 'OFFROADTRIATHLON_SWIMMING OPEN_WATER_SWIMMING TRIATHLON_SWIMMING',
  orienteering: 'ORIENTEERING',
  other: 'AGILITY ESPORTS KICKBIKE OTHER OTHER_INDOOR OTHER_OUTDOOR',
  padel: 'PADEL',
  pickleball: 'PICKLEBALL',
  pilates: 'PILATES',
  pool_swimming: 'POOL_SWIMMING',
  road_biking: 'ROAD_BIKING',
  rock_climbing: 'VERTICALSPORTS_OUTCLIMBING',
  roller_skiing: 'ROLLER_SKIING_CLASSIC ROLLER_SKIING_FREESTYLE',
  rowing: 'ROWING',
  rowing_machine: 'INDOOR_ROWING',
  rucking: 'RUCKING',
  rugby: 'RUGBY',
  running: 'DUATHLON_RUNNING JOGGING ROAD_RUNNING RUNNING TRIATHLON_RUNNING',
  sailing: 'WATERSPORTS_SAILING',
  shooting: 'SHOOTING_SPORT_INDOOR SHOOTING_SPORT_OUTDOOR',
  skateboarding: 'SKATEBOARDING',
  skating_sports: 'SKATING',
  ski_machine: 'SKI_ERG SKIERG',
  snowboarding: 'SNOWBOARDING',
  snowmobiling: 'MOTORSPORTS_SNOCROSS',
  snowshoeing: 'SNOWSHOE_TREKKING',
  soccer: 'FUTSAL SOCCER',
  social_dance: 'BALLROOM_DANCING LATIN_DANCING',
  speed_walking: 'NORDIC_WALKING',
  squash: 'SQUASH',
  stairs: 'STAIR_WORKOUT',
  stand_up_paddling: 'SUP',
  stationary_biking: 'INDOOR_CYCLING LES_MILLS_RPM LES_MILLS_SPRINT LES_MILLS_TRIP SPINNING',
  step_training: 'FITNESS_STEP LES_MILLS_BODYSTEP',
  strength_training:
    'KETTLEBELL LES_MILLS_BODYPUMP LES_MILLS_GRIT_STRENGTH LES_MILLS_TONE STRENGTH_TRAINING',
  stretching: 'STRETCHING',
  surfing: 'WATERSPORTS_SURFING',
  swim_bike_run: 'FREE_MULTISPORT OFFROADTRIATHLON TRIATHLON',
  swimming: 'SWIMMING',
  table_tennis: 'TABLE_TENNIS',
  team_sports: 'RINGETTE',
  tennis: 'BEACH_TENNIS PARASPORTS_WHEELCHAIR_TENNIS TENNIS',
  track_running: 'TRACK_AND_FIELD_RUNNING',
  trail_running:
    'CROSS_COUNTRY_RUNNING OFFROADDUATHLON_RUNNING OFFROADTRIATHLON_RUNNING TRAIL_RUNNING',
  treadmill_running: 'TREADMILL_RUNNING',
  ultra_running: 'ULTRARUNNING_RUNNING',
  volleyball: 'VOLLEYBALL',
  wakeboarding: 'WATERSPORTS_WAKEBOARDING',
  walking: 'WALKING',
  water_fitness: 'AQUATICS WATER_RUNNING',
  water_skiing: 'PARASPORTS_WATER_SKIING WATERSPORTS_WATERSKI',
  water_sports: 'WATER_EXERCISE',
  wheelchair: 'PARASPORTS_WHEELCHAIR',
  windsurfing: 'WATERSPORTS_WINDSURFING',
  yoga: 'YOGA',
}

test('every sport of Polar Flow is a sport of Salus, or other on purpose', () => {
  for (const [slug, names] of Object.entries(SPORTS)) {
    for (const name of names.split(' ')) assert.equal(toSport(sportOf(name, 'X')).slug, slug, name)
  }
  assert.equal(sportOf(null, 'CYCLING'), 'CYCLING')
  assert.equal(sportOf('', undefined), '')
})
