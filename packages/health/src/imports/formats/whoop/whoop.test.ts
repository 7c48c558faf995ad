import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'

const CYCLE_HEAD =
  'Cycle start time,Cycle end time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Skin temp (celsius),Blood oxygen %,Day Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min),Sleep debt (min),Sleep efficiency %,Sleep consistency %'
const SLEEP_HEAD =
  'Cycle start time,Cycle end time,Cycle timezone,Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min),Sleep debt (min),Sleep efficiency %,Sleep consistency %,Nap'
const WORKOUT_HEAD =
  'Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm),HR Zone 1 %,HR Zone 2 %,HR Zone 3 %,HR Zone 4 %,HR Zone 5 %,GPS enabled,Distance (meters),Altitude gain (meters),Altitude change (meters)'
const JOURNAL = `Cycle start time,Cycle end time,Cycle timezone,Question text,Answered yes,Notes
2025-03-30 23:05:00,,UTC+02:00,Did you drink?,true,private words`

const NIGHT = '70,13.75,430,470,250,90,90,40,480,20,91,80'
const table = (head: string, ...rows: string[]) => `${[head, ...rows].join('\n')}\n`
/** An open cycle of this day, one over the change of clocks, and one of a journey. */
const CYCLES = table(
  CYCLE_HEAD,
  `2025-03-30 23:05:00,,UTC+02:00,,,,,,,,,,2025-03-30 23:05:00,2025-03-31 07:00:00,${NIGHT}`,
  `2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,66,51,88,33.1,96.5,12.5,2451,160,66,2025-03-29 22:50:00,2025-03-30 06:40:00,${NIGHT}`,
  `2025-03-28 23:00:00,2025-03-29 13:00:00,UTCZ,45,55,70,,,9.1,1820,140,64,2025-03-28 23:00:00,2025-03-29 06:30:00,${NIGHT}`,
  `2025-03-27 23:30:00,2025-03-28 19:00:00,UTC-04:00,90,49,101,33.4,97,5,2100,120,61,2025-03-27 23:30:00,2025-03-28 07:00:00,${NIGHT}`,
)
const SLEEPS = table(
  SLEEP_HEAD,
  `2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,2025-03-29 22:50:00,2025-03-30 06:40:00,${NIGHT},false`,
  `2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,2025-03-30 14:00:00,2025-03-30 14:30:00,,12.5,25,30,25,0,0,5,,,83,,true`,
)
const WORKOUTS = table(
  WORKOUT_HEAD,
  '2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,2025-03-30 18:00:00,2025-03-30 18:45:00,45,Running,12.1,430,171,148,10,20,35,25,5,true,8012.5,55.5,-3',
  '2025-03-27 23:30:00,2025-03-28 19:00:00,-04:00,2025-03-28 12:00:00,2025-03-28 13:00:00,60,Functional Fitness,4,210,130,100,,,,,,false,,,',
)

type Lines = Awaited<ReturnType<typeof mapContent>>['lines']
const valuesOf = (lines: Lines, id: string) =>
  lines.find((line) => line.id === id)?.values as Record<string, unknown> | undefined

describe('an export of WHOOP', () => {
  const files = {
    'my_whoop_data_2025_04_01/physiological_cycles.csv': CYCLES,
    'my_whoop_data_2025_04_01/sleeps.csv': SLEEPS,
    'my_whoop_data_2025_04_01/workouts.csv': WORKOUTS,
    'my_whoop_data_2025_04_01/journal_entries.csv': JOURNAL,
  }

  test('has the instants of each row’s offset, and cycles on the day of their greater part', async () => {
    const { mapped, of, lines } = await mapContent(files)
    assert.deepEqual([mapped.format, mapped.provider], ['whoop', 'whoop_v2'])
    assert.deepEqual(
      of('activity').map(({ id, calendar_date, timezone_offset }) => [
        id,
        calendar_date,
        timezone_offset,
      ]),
      [
        ['cycle 2025-03-30T21:05:00.000Z', '2025-03-31', 7200],
        ['cycle 2025-03-29T20:50:00.000Z', '2025-03-30', 7200],
        ['cycle 2025-03-28T23:00:00.000Z', '2025-03-29', 0],
        ['cycle 2025-03-28T03:30:00.000Z', '2025-03-28', -14_400],
      ],
    )
    assert.deepEqual(valuesOf(lines, 'cycle 2025-03-29T20:50:00.000Z'), {
      calories_total: 2451,
      heart_rate_mean: 66,
      heart_rate_maximum: 160,
      heart_rate_resting: 51,
    })
    assert.equal(of('calories_active').length, 0)
    assert.deepEqual(
      of('hrv').map(({ start, value }) => [start, value]),
      [
        ['2025-03-30T04:40:00+00:00', 88],
        ['2025-03-29T06:30:00+00:00', 70],
        ['2025-03-28T11:00:00+00:00', 101],
      ],
    )
    assert.deepEqual(
      of('blood_oxygen').map(({ value }) => value),
      [96.5, 97],
    )
    assert.deepEqual(
      of('heartrate').map(({ value }) => value),
      [51, 55, 49],
    )
    assert.doesNotMatch(JSON.stringify(lines), /private|drink/)
    const journal = mapped.progress.types.find(({ type }) => type === 'journal entries')
    assert.equal(journal?.not_supported, 1)
  })

  test('has each night once, with its recovery, and naps', async () => {
    const { of, lines } = await mapContent(files)
    assert.deepEqual(
      of('sleep')
        .map(({ id, calendar_date }) => `${id} ${calendar_date}`)
        .sort(),
      [
        'sleep 2025-03-28T03:30:00.000Z 2025-03-28',
        'sleep 2025-03-28T23:00:00.000Z 2025-03-29',
        'sleep 2025-03-29T20:50:00.000Z 2025-03-30',
        'sleep 2025-03-30T12:00:00.000Z 2025-03-30',
        'sleep 2025-03-30T21:05:00.000Z 2025-03-31',
      ],
    )
    assert.deepEqual(valuesOf(lines, 'sleep 2025-03-29T20:50:00.000Z'), {
      duration_second: 28_200,
      stage_asleep_second: 25_800,
      stage_awake_second: 2400,
      stage_light_second: 15_000,
      stage_rem_second: 5400,
      stage_deep_second: 5400,
      heart_rate_resting: 51,
      efficiency: 91,
      hrv_mean_rmssd: 88,
      skin_temperature: 33.1,
      respiratory_rate: 13.75,
      score: 70,
      recovery_readiness_score: 66,
    })
    assert.equal(valuesOf(lines, 'sleep 2025-03-30T12:00:00.000Z')?.type, 'acknowledged_nap')
    // Three of cycles, that of the open cycle too, and that of the nap.
    assert.equal(of('respiratory_rate').length, 5)
  })

  test('has workouts with their zones', async () => {
    const { lines } = await mapContent(files)
    const run = valuesOf(lines, 'workout 2025-03-30T16:00:00.000Z') ?? {}
    assert.deepEqual(
      [run.sport_slug, run.calories, run.distance_meter, run.elevation_gain_meter],
      ['running', 430, 8012.5, 55.5],
    )
    // Of 2,700 seconds: 5 % below, then 10, 20, 35, 25 and 5 %.
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((zone) => run[`heart_rate_zone_${zone}`]),
      [135, 270, 540, 945, 675, 135],
    )
    const other = valuesOf(lines, 'workout 2025-03-28T16:00:00.000Z') ?? {}
    assert.equal('heart_rate_zone_1' in other, false)
  })

  test('is the same from one table alone, with the same ids', async () => {
    const [alone, whole] = await Promise.all([mapContent(CYCLES), mapContent(files)])
    assert.deepEqual(alone.mapped.format, 'whoop')
    const idsOf = (lines: Lines) =>
      new Set(lines.map(({ id }) => id).filter((id) => id !== undefined))
    assert.deepEqual(
      [...idsOf(alone.lines)].filter((id) => !idsOf(whole.lines).has(id)),
      [],
    )
    assert.equal(alone.of('sleep').length, 4)
    assert.equal((await mapContent(SLEEPS)).of('sleep').length, 2)
    assert.equal((await mapContent(WORKOUTS)).of('workouts').length, 2)
  })

  test('in any order of rows and columns becomes the same', async () => {
    const random = seededRandom(11)
    const rows = CYCLES.trim()
      .split('\n')
      .map((line) => line.split(','))
    const [head = []] = rows
    const order = head
      .map((_, index) => [random(), index] as const)
      .sort(([a], [b]) => a - b)
      .map(([, index]) => index)
    const [first, ...rest] = rows.map((row) => order.map((index) => row[index]).join(';'))
    const shuffled = `\ufeff${[first, ...rest.reverse()].join('\r\n')}`
    const sorted = async (content: string) =>
      (await mapContent(content)).lines.map((line) => JSON.stringify(line)).sort()
    assert.deepEqual(await sorted(shuffled), await sorted(CYCLES))
  })
})

describe('an export of WHOOP in another language', () => {
  test('is read by its translated columns, with composed and decomposed names of files', async () => {
    const head =
      'Hora de inicio del ciclo,Hora de finalización del ciclo,Zona horaria del ciclo,Puntuación de recuperación %,Frecuencia cardíaca en reposo (lpm),Variabilidad de la frecuencia cardíaca (ms),Energía quemada (cal),Inicio del sueño,Inicio de la vigilia'
    const row =
      '2025-03-29 22:50:00,2025-03-30 23:05:00,UTC+02:00,66,51,88,2451,2025-03-29 22:50:00,2025-03-30 06:40:00'
    const name = 'ciclos_fisiológicos.csv'
    for (const path of [name.normalize('NFC'), name.normalize('NFD')]) {
      const { mapped, lines } = await mapContent({ [path]: table(head, row) })
      assert.equal(mapped.format, 'whoop')
      assert.equal(valuesOf(lines, 'cycle 2025-03-29T20:50:00.000Z')?.calories_total, 2451)
      assert.equal(valuesOf(lines, 'sleep 2025-03-29T20:50:00.000Z')?.hrv_mean_rmssd, 88)
    }
  })

  test('with unknown columns is refused', async () => {
    const files = {
      'physiological_cycles.csv': CYCLES,
      'sueño.csv': 'Eins,Zwei,Drei\n1,2,3\n',
    }
    await assert.rejects(mapContent(files), { code: 'unknown_columns' })
  })
})

describe('wrong rows of WHOOP', () => {
  test('are quarantined with their known columns', async () => {
    const row = (start: string, end: string, zone: string, energy: string) =>
      `${start},${end},${zone},66,51,88,33.1,96.5,12.5,${energy},160,66,,,,,,,,,,,,,,`
    const { of } = await mapContent(
      table(
        `${CYCLE_HEAD},Account`,
        `${row('2025-03-29 22:50:00', '', 'somewhere', '2000')},jane`,
        row('2025-03-29 22:50:00', '', '', '2000'),
        row('1970-01-01 00:00:00', '', 'UTC+01:00', '2000'),
        row('2031-01-01 00:00:00', '', 'UTC+01:00', '2000'),
        row('2025-03-29 22:50:00', '2025-03-28 22:50:00', 'UTC+01:00', '2000'),
        row('2025-03-29 22:50:00', '', 'UTC+01:00', '@SUM(1)'),
        row('2025-03-29 22:50:00', '', 'UTC+01:00', '-5'),
        row('2025-02-30 22:50:00', '', 'UTC+01:00', '2000'),
      ),
    )
    assert.deepEqual(
      of('activity').map(({ refused }) => refused),
      [
        ...['invalid_start_date', 'invalid_start_date', 'invalid_start_date', 'invalid_start_date'],
        ...['end_before_start', 'invalid_value', 'out_of_range', 'invalid_start_date'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(of('activity')), /jane/)
  })

  test('without a zone need that of the options', async () => {
    const content = table(
      CYCLE_HEAD,
      '2025-03-29 22:50:00,,,66,51,88,33.1,96.5,12.5,2000,160,66,,,,,,,,,,,,,,',
    )
    const { of } = await mapContent(content, { time_zone: 'Europe/Vienna' })
    assert.deepEqual(of('activity')[0]?.id, 'cycle 2025-03-29T21:50:00.000Z')
  })

  test('of a truncated table are an error', async () => {
    await assert.rejects(mapContent(`${CYCLES}"2025-03`), { code: 'malformed_csv' })
    const { lines, mapped } = await mapContent(`${CYCLE_HEAD}\n`)
    assert.deepEqual([mapped.format, lines], ['whoop', []])
  })
})
