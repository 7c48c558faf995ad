import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const HEAD = (unit = 'mg/dL') =>
  `Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (${unit}),Insulin Value (u),Carb Value (grams),Duration (hh:mm:ss),Glucose Rate of Change (${unit}/min),Transmitter Time (Long Integer),Transmitter ID`
const PERSON = [
  '1,,FirstName,,Ada,,,,,,,,,',
  '2,,LastName,,Moreau,,,,,,,,,',
  '3,,DateOfBirth,,1990-04-12,,,,,,,,,',
  '4,,Device,,,Dexcom G6 Mobile App,iPhone G6,,,,,,,',
  '5,,Alert,High,,,iPhone G6,200,,,,,,',
]

interface Row {
  at?: string
  type?: string
  subtype?: string
  device?: string
  glucose?: string
  insulin?: string
  carbs?: string
  duration?: string
  ticks?: string
  transmitter?: string
}

function line(row: Row): string {
  const { at = '2025-03-13T11:24:17', type = 'EGV', subtype = '', device = 'iPhone G6' } = row
  const {
    glucose = '',
    insulin = '',
    carbs = '',
    duration = '',
    ticks = '',
    transmitter = '',
  } = row
  return `9,${at},${type},${subtype},,,${device},${glucose},${insulin},${carbs},${duration},,${ticks},${transmitter}`
}

const table = (rows: readonly Row[], unit?: string): string =>
  `\ufeff${[HEAD(unit), ...PERSON, ...rows.map(line)].join('\r\n')}\r\n`
const VIENNA = { time_zone: 'Europe/Vienna' } as const

test('readings are the instants of the connection, and names and settings are no records', async () => {
  const { mapped, lines } = await mapContent(
    table([{ glucose: '103' }, { at: '2025-03-13 11:29:17', glucose: '180' }]),
    VIENNA,
  )
  assert.deepEqual([mapped.format, mapped.provider], ['dexcom_clarity', 'dexcom_v3'])
  assert.deepEqual(
    lines.map(({ start, timezone_offset: offset, value, type, source_type: source }) => [
      ...[start, offset, Math.round(Number(value) * 18.0182), type, source],
    ]),
    [
      ['2025-03-13T10:24:17+00:00', 3600, 103, 'automatic', 'automatic'],
      ['2025-03-13T10:29:17+00:00', 3600, 180, 'automatic', 'automatic'],
    ],
  )
  assert.doesNotMatch(JSON.stringify([mapped, lines]), /Ada|Moreau|1990/)
})

test('meter values, insulin, carbohydrates, exercise and health events become what the connection makes', async () => {
  const { lines } = await mapContent(
    table([
      { type: 'Calibration', glucose: '110' },
      { type: 'Insulin', subtype: 'Fast-Acting', insulin: '4' },
      { type: 'Insulin', subtype: 'Long-Acting', insulin: '10' },
      { type: 'Insulin', subtype: 'Other', insulin: '10' },
      { type: 'Carbs', carbs: '45' },
      { type: 'Exercise', subtype: 'Light', duration: '00:30:00' },
      { type: 'Health', subtype: 'High Symptoms' },
      { type: 'Tomorrow' },
    ]),
    VIENNA,
  )
  assert.deepEqual(
    lines.map(({ resource, value, type, tags, refused }) => [
      ...[resource, refused ?? (resource === 'glucose' ? 'mmol' : value), type, tags],
    ]),
    [
      ['glucose', 'mmol', 'fingerprick', undefined],
      ['insulin_injection', 4, 'rapid_acting', undefined],
      ['insulin_injection', 10, 'long_acting', undefined],
      ['insulin_injection', 'unknown_type', undefined, undefined],
      ['carbohydrates', 45, undefined, undefined],
      ['note', 'Light exercise, 30 minutes', undefined, ['exercise']],
      ['note', 'Symptoms of high glucose', undefined, ['unspecified']],
    ],
  )
})

test('a reading that phone and receiver both have is one, that of the phone', async () => {
  const shared = { ticks: '1000', transmitter: '8ABCDE' }
  const rows: Row[] = [
    { at: '2025-03-13T11:24:30', device: 'PL12345678', glucose: '101', ...shared },
    { at: '2025-03-13T11:24:17', device: 'iPhone G6', glucose: '101', ...shared },
    // Another sensor began its time anew.
    { at: '2025-03-25T11:24:17', device: 'iPhone G6', glucose: '150', ...shared },
  ]
  const expected = ['2025-03-13T10:24:17+00:00', '2025-03-25T10:24:17+00:00']
  for (const order of [rows, rows.toReversed()]) {
    const { mapped, lines } = await mapContent(table(order), VIENNA)
    assert.deepEqual(lines.map(({ start }) => start).sort(), expected)
    const [egv] = mapped.progress.types.filter(({ type }) => type === 'EGV')
    assert.deepEqual([egv?.records, egv?.imported, egv?.merged], [3, 2, 1])
  }
})

test('what the sensor cannot measure is quarantined, in both units', async () => {
  for (const [unit, values] of [
    ['mg/dL', ['Low', 'High', '39', '401', '@SUM']],
    ['mmol/L', ['Low', 'High', '2.1', '22.3', '104']],
  ] as const) {
    const rows = values.map((glucose, index) => ({ at: `2025-03-13T11:0${index}:00`, glucose }))
    const { lines } = await mapContent(table(rows, unit), VIENNA)
    assert.equal(lines.length, 5)
    assert.ok(
      lines.every(({ refused }) => refused !== undefined),
      unit,
    )
  }
})

test('the zone, the order of dates of a spreadsheet and a missing unit are questions', async () => {
  const optionsOf = async (content: string, options = {}) =>
    (await mapContent(content, options)).mapped.questions.map(({ option }) => option)
  assert.deepEqual(await optionsOf(table([{ glucose: '100' }])), ['time_zone'])
  assert.deepEqual(await optionsOf(table([{ at: '3/4/2025 11:24', glucose: '100' }]), VIENNA), [
    'date_order',
  ])
  assert.deepEqual(await optionsOf(table([{ at: '3/14/2025 11:24', glucose: '100' }]), VIENNA), [])
  const bare = table([{ glucose: '100' }]).replaceAll(' (mg/dL)', '')
  assert.deepEqual(await optionsOf(bare, VIENNA), ['glucose_unit'])
  assert.deepEqual(await optionsOf(bare, { ...VIENNA, glucose_unit: 'mg/dL' }), [])
})

test('columns are found by name in any order, without those of the transmitter', async () => {
  const content = [
    'Event Type;Glucose Value (mmol/L);Timestamp;Event Subtype;Source Device ID',
    'EGV;5,6;2025-07-01T08:00:00;;Android G7',
  ].join('\n')
  const { lines } = await mapContent(content, { time_zone: 'floating' })
  assert.deepEqual(
    lines.map(({ start, timezone_offset: offset, value }) => [start, offset, value]),
    [['2025-07-01T08:00:00+00:00', null, 5.6]],
  )
})

test('both changes of the clock are placed as the zone has them', async () => {
  // The offset is +1 until 30 March 2025 at 01:00 UTC, and then +2 until 26 October at 01:00 UTC.
  const cases: [local: string, utc: string][] = [
    ['2025-03-30T01:59:17', '2025-03-30T00:59:17'],
    ['2025-03-30T03:04:17', '2025-03-30T01:04:17'],
    ['2025-10-26T01:55:17', '2025-10-25T23:55:17'],
    ['2025-10-26T02:10:17', '2025-10-26T00:10:17'],
    ['2025-10-26T02:05:17', '2025-10-26T01:05:17'],
    ['2025-10-26T03:05:17', '2025-10-26T02:05:17'],
  ]
  const { lines } = await mapContent(table(cases.map(([at]) => ({ at, glucose: '100' }))), VIENNA)
  assert.deepEqual(
    lines.map(({ start }) => start),
    cases.map(([, utc]) => `${utc}+00:00`),
  )
})

test('an unknown subtype is none, whatever its text, and an empty table needs no zone', async () => {
  const types = ['Insulin', 'Health', 'Exercise']
  const rows = types.map((type) => ({ type, subtype: 'constructor', insulin: '5' }))
  const { lines } = await mapContent(table(rows), VIENNA)
  assert.deepEqual(
    lines.map(({ refused }) => refused),
    ['unknown_type', 'unknown_type', 'unknown_type'],
  )
  assert.deepEqual((await mapContent(table([]))).mapped.questions, [])
})
