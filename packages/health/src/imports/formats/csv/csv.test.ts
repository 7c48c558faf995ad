import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { previewCsv } from './csv-preview.ts'
import type { CsvTemplate } from './csv-template.schema.ts'

const TEMPLATE: CsvTemplate = {
  decimal: ',',
  date_format: 'day_first',
  time_zone: 'Europe/Berlin',
  start: { column: 'Day', time_column: 'Clock' },
  values: [
    { series: 'glucose', column: 'Glucose', unit: 'mmol/L', type: 'fingerprick' },
    { series: 'body_weight', column: 'Weight', unit: 'kg' },
  ],
}
const TABLE =
  'Export of a device\nDay;Clock;Glucose;Weight\n31.03.2026;7:05 am;5,6;80,5\n01.04.2026;19:30;=1+1;\n'
const NOW = new Date('2026-11-01T12:00:00Z')
const map = (content: string, template: CsvTemplate, options = {}) =>
  mapContent(content, { ...options, template }, { format: 'csv' })

test('a template maps columns to series, with its decimal commas, dates and zone', async () => {
  const { mapped, lines } = await map(TABLE, TEMPLATE)
  assert.deepEqual([mapped.format, mapped.provider], ['csv', 'manual'])
  assert.deepEqual(
    lines.map(({ resource, start, value, type, refused, item }) => [
      ...[resource, start, value ?? refused, type ?? item],
    ]),
    [
      ['glucose', '2026-03-31T05:05:00+00:00', 5.6, 'fingerprick'],
      ['glucose', undefined, 'invalid_value', { Day: '01.04.2026', Glucose: '=1+1' }],
      ['body_weight', '2026-03-31T05:05:00+00:00', 80.5, undefined],
    ],
  )
})

test('a column may say what a row is, and hold units and types', async () => {
  const { lines } = await map(
    'when,what,amount,unit,kind\n1774933500,meter,100,mgdl,F\n1774933500,walk,90,,\n1774933500,other,1,,\n',
    {
      date_format: 'epoch_seconds',
      start: { column: 'when' },
      app_id: 'diary',
      source_type: 'app',
      values: [
        {
          ...{ series: 'glucose', column: 'amount', unit_column: 'unit', units: { mgdl: 'mg/dL' } },
          ...{ type_column: 'kind', types: { F: 'fingerprick' } },
          when: { column: 'what', equals: ['meter'] },
        },
        {
          series: 'steps',
          column: 'amount',
          unit: 'count',
          when: { column: 'what', equals: ['walk'] },
        },
        { series: 'fall', constant: 1, unit: 'count', when: { column: 'what', equals: ['fell'] } },
      ],
    },
  )
  assert.deepEqual(
    lines.map(({ resource, start, type, source_type: source }) => [resource, start, type, source]),
    [
      ['glucose', '2026-03-31T05:05:00+00:00', 'fingerprick', 'app'],
      ['steps', '2026-03-31T05:05:00+00:00', undefined, 'app'],
    ],
  )
})

test('sums of a day last the local day, other values of a day stand at noon UTC', async () => {
  const { lines } = await map('29.03.2026;9000;70\n', {
    has_head: false,
    date_format: 'day_first',
    time_zone: 'Europe/Berlin',
    start: { column: '1' },
    values: [
      { series: 'steps', column: '2', unit: 'count' },
      { series: 'body_weight', column: '3', unit: 'kg' },
    ],
  })
  assert.deepEqual(
    lines.map(({ start, end }) => [start, end]),
    [
      // The clock is put forward on that day.
      ['2026-03-28T23:00:00+00:00', '2026-03-29T22:00:00+00:00'],
      ['2026-03-29T12:00:00+00:00', '2026-03-29T12:00:00+00:00'],
    ],
  )
})

test('ends, durations, offsets, blood pressures and notes are read', async () => {
  const { lines } = await map(
    'start,minutes,steps,upper,lower,note\n2026-03-31T07:05:00+02:00,30,"1,200",120,80,"a, walk"\n',
    {
      date_format: 'year_first',
      start: { column: 'start' },
      duration: { column: 'minutes', unit: 'min' },
      values: [
        { series: 'steps', column: 'steps', unit: 'count' },
        { series: 'blood_pressure', column: 'upper', diastolic_column: 'lower', unit: 'mmHg' },
        { series: 'note', column: 'note' },
      ],
    },
  )
  assert.deepEqual(
    lines.map(({ resource, start, end, value, systolic, diastolic }) => [
      ...[resource, start, end, value ?? [systolic, diastolic]],
    ]),
    [
      ['steps', '2026-03-31T05:05:00+00:00', '2026-03-31T05:35:00+00:00', 1200],
      ['blood_pressure', '2026-03-31T05:05:00+00:00', '2026-03-31T05:05:00+00:00', [120, 80]],
      ['note', '2026-03-31T05:05:00+00:00', '2026-03-31T05:35:00+00:00', 'a, walk'],
    ],
  )
})

test('a template and the zone are questions, and no file is a table by itself', async () => {
  const { mapped } = await mapContent(TABLE, {}, { format: 'csv' })
  assert.deepEqual(
    mapped.questions.map(({ option }) => option),
    ['template_id'],
  )
  const { time_zone: _, ...without } = TEMPLATE
  const asked = await map(TABLE, without)
  assert.deepEqual(
    asked.mapped.questions.map(({ option }) => option),
    ['time_zone'],
  )
  const floating = await map(TABLE, without, { time_zone: 'floating' })
  assert.equal(floating.of('body_weight')[0]?.start, '2026-03-31T07:05:00+00:00')
  await assert.rejects(mapContent(TABLE.slice(TABLE.indexOf('\n') + 1)), /CSV template/)
})

test('templates that fit no table, and tables without their columns, are refused', async () => {
  const wrong: [change: Partial<CsvTemplate>, message: RegExp][] = [
    [{ time_zone: 'Europe/Nowhere' }, /time_zone/],
    [{ values: [{ series: 'glucose', column: 'Glucose', unit: 'kg' }] }, /values\.0\.unit/],
    [{ values: [{ series: 'glucose', unit: 'mmol/L' }] }, /values\.0\.column/],
    [{ values: [{ series: 'insulin_injection', column: 'Glucose', unit: 'unit' }] }, /type/],
    [
      { values: [{ series: 'steps', column: 'None', unit: 'count' }] },
      /all columns of the template/,
    ],
  ]
  for (const [change, message] of wrong) {
    await assert.rejects(map(TABLE, { ...TEMPLATE, ...change }), message)
  }
})

test('a preview shows what columns may be, suggests series, and applies nothing', async () => {
  const content =
    'Date,Steps,Glucose mg/dL,Note,When\n01/02/2025,1000,98,x,2025-02-01T10:00:00Z\n02/02/2025,1200,99,y,2025-02-01T10:00:00Z\n03/02/2'
  const preview = await previewCsv(Buffer.from(content), { now: NOW })
  assert.deepEqual([preview.delimiter, preview.has_head, preview.results], [',', true, null])
  assert.deepEqual(
    preview.columns
      .slice(0, 4)
      .map(({ name, date_orders: orders, suggestion }) => [name, orders, suggestion]),
    [
      ['Date', [], null],
      ['Steps', [], { series: 'steps', unit: null }],
      ['Glucose mg/dL', [], { series: 'glucose', unit: 'mg/dL' }],
      ['Note', [], { series: 'note', unit: 'text' }],
    ],
  )
  const whole = await previewCsv(Buffer.from(content.slice(0, -7)), { now: NOW })
  assert.deepEqual(
    whole.columns.map(({ kind }) => kind),
    ['date', 'number', 'number', 'text', 'instant'],
  )
  assert.deepEqual(whole.columns[0]?.date_orders, ['day_first', 'month_first'])
  const headless = await previewCsv(Buffer.from('1.5.2026;80,5\n2.5.2026;80,4\n'), { now: NOW })
  assert.deepEqual(
    [headless.has_head, headless.columns.map(({ name, kind, decimals }) => [name, kind, decimals])],
    [
      false,
      [
        ['1', 'date', []],
        ['2', 'number', [',']],
      ],
    ],
  )
})

test('a preview by a template has the outcome of each row', async () => {
  const { results } = await previewCsv(Buffer.from(TABLE), { template: TEMPLATE, now: NOW })
  assert.deepEqual(
    results?.map(({ row, becomes }) => [
      row,
      becomes.map(({ value, refused }) => value ?? refused),
    ]),
    [
      [0, [5.6, 80.5]],
      [1, ['invalid_value']],
    ],
  )
})

test('a day that ends with its year is no time with an offset', async () => {
  const template: CsvTemplate = {
    date_format: 'day_first',
    start: { column: 'Day' },
    values: [{ series: 'steps', column: 'Steps', unit: 'count' }],
  }
  const content = 'Day,Steps\n28-03-2026,100\n29-03-2026,200\n'
  const { lines } = await map(content, template, { time_zone: 'Europe/Vienna' })
  assert.deepEqual(
    lines.map(({ start, end, value }) => [start, end, value]),
    [
      ['2026-03-27T23:00:00+00:00', '2026-03-28T23:00:00+00:00', 100],
      ['2026-03-28T23:00:00+00:00', '2026-03-29T22:00:00+00:00', 200],
    ],
  )
})

test('a reading of a day needs no zone, a sum of a day does', async () => {
  const values = {
    weight: { series: 'body_weight', column: 'Value', unit: 'kg' },
    steps: { series: 'steps', column: 'Value', unit: 'count' },
  } as const
  const asked = async (value: CsvTemplate['values'][number], day: string) => {
    const template: CsvTemplate = {
      ...{ date_format: 'year_first', start: { column: 'Day' }, values: [value] },
    }
    const { mapped } = await map(`Day,Value\n${day},80\n`, template)
    return mapped.questions.map(({ option }) => option)
  }
  assert.deepEqual(await asked(values.weight, '2026-03-01'), [])
  assert.deepEqual(await asked(values.weight, '2026-03-01 07:00'), ['time_zone'])
  assert.deepEqual(await asked(values.steps, '2026-03-01'), ['time_zone'])
})
