import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent as mapAny } from '../../../../../server/test/imports/map-content.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportOptions } from '../../import-options.ts'

const NAMES = [
  ...['Device', 'Serial Number', 'Device Timestamp', 'Record Type'],
  ...['Historic Glucose mg/dL', 'Scan Glucose mg/dL', 'Non-numeric Rapid-Acting Insulin'],
  ...['Rapid-Acting Insulin (units)', 'Non-numeric Food', 'Carbohydrates (grams)'],
  ...['Carbohydrates (servings)', 'Non-numeric Long-Acting Insulin'],
  ...['Long-Acting Insulin (units)', 'Notes', 'Strip Glucose mg/dL', 'Ketone mmol/L'],
  ...['Meal Insulin (units)', 'Correction Insulin (units)', 'User Change Insulin (units)'],
]
const GERMAN = [
  ...['Gerät', 'Seriennummer', 'Gerätezeitstempel', 'Aufzeichnungstyp'],
  ...['Glukosewert-Verlauf mmol/L', 'Glukose-Scan mmol/L', 'Nicht numerisches Insulin'],
  ...['Insulin (Einheiten)', 'Nicht numerische Nahrung', 'Kohlenhydrate (Gramm)'],
  ...['Kohlenhydrate (Portionen)', 'Nicht numerisches Depotinsulin', 'Depotinsulin (Einheiten)'],
  ...[
    'Notizen',
    'Glukose-Teststreifen mmol/L',
    'Keton mmol/L',
    'Mahlzeit',
    'Korrektur',
    'Anwender',
  ],
]
/** Maps a table whose local times have no zone, unless the options name one. */
const mapContent = (content: string, options: ImportOptions = {}) =>
  mapAny(content, { time_zone: 'floating', ...options })

type Cells = Partial<Record<'time' | 'type' | 'serial' | (typeof COLUMNS)[number], string>>
const COLUMNS = ['historic', 'scan', 'rapid', 'carbs', 'long', 'notes', 'strip', 'ketone'] as const
const POSITIONS = { historic: 4, scan: 5, rapid: 7, carbs: 9, long: 12, notes: 13, strip: 14 }

function row({ time = '13-03-2025 13:05', type = '0', serial = 'A-1', ...cells }: Cells): string[] {
  const written = ['FreeStyle LibreLink', serial, time, type, ...Array<string>(15).fill('')]
  for (const [name, position] of Object.entries({ ...POSITIONS, ketone: 15 })) {
    written[position] = cells[name as 'scan'] ?? ''
  }
  return written
}

const quote = (cell: string) => (/[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const table = (
  rows: readonly string[][],
  { head = NAMES, delimiter = ',', made = '03-03-2025 20:00 UTC' } = {},
): string =>
  [['Glucose Data', 'Created on', made, 'Created by', 'Ada Moreau'], head, ...rows]
    .map((cells) => cells.map(quote).join(delimiter))
    .join('\r\n')

test('readings are local times of their kind, at the minute of the reader', async () => {
  const { mapped, lines } = await mapContent(
    table([
      row({ historic: '104' }),
      row({ type: '1', scan: '90' }),
      row({ type: '2', strip: '180' }),
      row({ type: '3', ketone: '0,4' }),
      row({ type: '6' }),
    ]),
  )
  assert.equal(mapped.provider, 'abbott_libreview')
  assert.deepEqual(
    lines.map(({ start, timezone_offset, value, type, source_type }) => [
      ...[start, timezone_offset, Math.round(Number(value) * 18.0182), type, source_type],
    ]),
    [
      ['2025-03-13T13:05:00+00:00', null, 104, 'automatic', 'automatic'],
      ['2025-03-13T13:05:00+00:00', null, 90, 'manual_scan', 'manual_scan'],
      ['2025-03-13T13:05:00+00:00', null, 180, 'fingerprick', 'fingerprick'],
    ],
  )
  const counts = mapped.progress.types.map(({ type, imported, not_supported: unknown }) => [
    ...[type, imported, unknown],
  ])
  assert.deepEqual(counts, [
    ['historic glucose', 1, 0],
    ['scan glucose', 1, 0],
    ['strip glucose', 1, 0],
    ['ketone', 0, 1],
    ['note', 0, 1],
  ])
})

test('doses, carbohydrates and notes stand at their minute', async () => {
  const at = '13-03-2025 13:59'
  const { lines } = await mapContent(
    table([
      row({ time: at, type: '4', rapid: '4,5', long: '12' }),
      row({ time: at, type: '5', carbs: '45' }),
      row({ time: at, type: '6', notes: 'after a walk' }),
    ]),
  )
  assert.deepEqual(
    lines.map(({ resource, start, value, type, source_type }) => [
      ...[resource, start, value, type, source_type],
    ]),
    [
      ['insulin_injection', '2025-03-13T13:59:00+00:00', 4.5, 'rapid_acting', 'app'],
      ['insulin_injection', '2025-03-13T13:59:00+00:00', 12, 'long_acting', 'app'],
      ['carbohydrates', '2025-03-13T13:59:00+00:00', 45, undefined, 'app'],
      ['note', '2025-03-13T13:59:00+00:00', 'after a walk', undefined, 'app'],
    ],
  )
})

test('the order of day and month is what the dates prove, or else a question', async () => {
  const startOf = async (times: readonly string[], options = {}) => {
    const content = table(times.map((time) => row({ time, historic: '100' })))
    const { mapped, lines } = await mapContent(content, options)
    return mapped.questions[0]?.option ?? String(lines[0]?.start).slice(0, 10)
  }
  assert.equal(await startOf(['02-03-2025 10:00', '14-03-2025 10:00']), '2025-03-02')
  assert.equal(await startOf(['02-03-2025 10:00', '02-14-2025 10:00']), '2025-02-03')
  assert.equal(await startOf(['02-03-2025 10:00 AM']), '2025-02-03')
  assert.equal(await startOf(['6/2/20 8:02', '6/24/20 8:02']), '2020-06-02')
  assert.equal(await startOf(['2025/03/02 10:00']), '2025-03-02')
  assert.equal(await startOf(['02-03-2025 10:00']), 'date_order')
  assert.equal(await startOf(['03-03-2025 10:00']), '2025-03-03')
  const answer = { date_order: 'month_first' } as const
  assert.equal(await startOf(['02-03-2025 10:00'], answer), '2025-02-03')
  await assert.rejects(startOf(['14-03-2025 10:00', '03-14-2025 10:00']), /contradict|only have/)
})

test('where the dates prove no order, that of the export does, unless a program rewrote the rows', async () => {
  const startOf = async (time: string, made: string) => {
    const { mapped, lines } = await mapContent(table([row({ time, historic: '100' })], { made }))
    return mapped.questions[0]?.option ?? String(lines[0]?.start).slice(0, 10)
  }
  assert.equal(await startOf('02-03-2025 10:00', '13-03-2025 20:00 UTC'), '2025-03-02')
  assert.equal(await startOf('02-03-2025 10:00 AM', '13-03-2025 08:00 PM UTC'), '2025-03-02')
  assert.equal(await startOf('02-03-2025 10:00', '03-13-2025 20:00 UTC'), '2025-02-03')
  assert.equal(await startOf('02-03-2025 10:00', '04-03-2025 20:00 UTC'), 'date_order')
  assert.equal(await startOf('2/3/25 10:00', '13-03-2025 20:00 UTC'), 'date_order')
})

test('local times need a zone or the answer that they have none, and an empty table does not', async () => {
  const content = table([row({ historic: '100' })])
  const { mapped, lines } = await mapAny(content)
  assert.deepEqual([mapped.questions.map(({ option }) => option), lines], [['time_zone'], []])
  const placed = await mapAny(content, { time_zone: 'Europe/Vienna' })
  assert.deepEqual(
    placed.lines.map(({ start, timezone_offset: offset }) => [start, offset]),
    [['2025-03-13T12:05:00+00:00', 3600]],
  )
  assert.deepEqual((await mapAny(table([]))).mapped.questions, [])
})

test('a type that is no number of the vendor is none, whatever its text', async () => {
  const types = ['constructor', '__proto__', 'toString', '7', '-1', '00']
  const { mapped, lines } = await mapContent(table(types.map((type) => row({ type }))))
  assert.deepEqual(lines, [])
  assert.deepEqual(
    mapped.progress.types.map(({ type, not_supported: count }) => [type, count]),
    [['other', types.length]],
  )
})

test('a translated head row is read by position, with its unit and decimal commas', async () => {
  const rows = [row({ historic: '5,6' }), row({ time: '13-03-2025 13:20', historic: '104' })]
  const { mapped, of } = await mapContent(table(rows, { head: GERMAN, delimiter: ';' }))
  assert.deepEqual(
    of('glucose').map(({ value, refused }) => value ?? refused),
    // A value of the other unit is none.
    [5.6, 'out_of_range'],
  )
  assert.equal(mapped.format, 'libreview')
})

test('what a sensor cannot measure, future times and formulas are quarantined without words', async () => {
  const { lines } = await mapContent(
    table([
      row({ historic: 'LO' }),
      row({ historic: 'HI' }),
      row({ historic: '39' }),
      row({ historic: '501' }),
      row({ historic: '=1+1' }),
      row({ historic: '' }),
      row({ time: '13-03-2099 13:05', historic: '100' }),
      row({ time: '13-03-1970 13:05', historic: '100' }),
      row({ time: '31-02-2025 13:05', historic: '100' }),
      row({ type: '6', time: '13-03-2099 13:05', notes: 'secret words' }),
    ]),
  )
  const reasons = Object.groupBy(lines, ({ refused }) => String(refused))
  assert.deepEqual(
    Object.entries(reasons)
      .map(([reason, list]) => [reason, list?.length])
      .sort(),
    [
      ['invalid_start_date', 4],
      ['invalid_value', 2],
      ['out_of_range', 4],
    ],
  )
  assert.doesNotMatch(JSON.stringify(lines), /secret|Moreau/)
})

test('with a zone the hour that occurs twice is placed by the order of the readings', async () => {
  // 26 October 2025, 01:30 UTC and 02:30 UTC are both 02:30 in Vienna, 45 and 15 min around them.
  const clock = [
    '01:45',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '03:00',
  ]
  const content = table(clock.map((time) => row({ time: `26-10-2025 ${time}`, historic: '100' })))
  const { lines } = await mapContent(content, { time_zone: 'Europe/Vienna' })
  const first = Date.UTC(2025, 9, 25, 23, 45)
  assert.deepEqual(
    lines.map(({ start }) => Date.parse(String(start))),
    clock.map((_, index) => first + index * 15 * 60_000),
  )
  assert.deepEqual(
    lines.map(({ timezone_offset: offset }) => offset),
    [7200, 7200, 7200, 7200, 7200, 3600, 3600, 3600, 3600, 3600],
  )
})

test('shuffled rows of several readers give the same samples', async () => {
  const rows = Array.from({ length: 200 }, (_, index) =>
    row({
      time: `${String(13 + (index % 10)).padStart(2, '0')}-03-2025 ${String(index % 24).padStart(2, '0')}:05`,
      serial: index % 3 === 0 ? 'A-1' : 'B-2',
      historic: String(60 + index),
    }),
  )
  const keyOf = async (list: readonly string[][]) =>
    (await mapContent(table(list))).lines.map((line) => JSON.stringify(line)).sort()
  const shuffled = rows.toSorted(
    (a, b) => ((Number(a[4]) * 7919) % 101) - ((Number(b[4]) * 7919) % 101),
  )
  assert.deepEqual(await keyOf(shuffled), await keyOf(rows))
})

test('an empty table has nothing, and a table of another kind is refused', async () => {
  const { mapped, lines } = await mapContent(table([]))
  assert.deepEqual([mapped.format, lines], ['libreview', []])
  const others = ['Device,Serial Number,Record Type\nA,B,0\n', NAMES.slice(0, 3).join(',')]
  for (const content of others) {
    await assert.rejects(mapContent(content), (error: unknown) => {
      assert.ok(error instanceof ImportFileError)
      return error.code === 'unknown_format'
    })
  }
})
