import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ImportOptions } from '../../../health/src/imports/import-options.ts'
import { buildProgram } from '../program.ts'
import { type HarnessServer, startHarnessServer } from '../testing/harness-server.ts'
import { startSalus } from '../testing/salus-command.ts'

let server: HarnessServer
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-import-'))
  server = await startHarnessServer()
  await server.harness.startJobs()
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `salus import` against the server. */
function importing(args: string[], input?: string) {
  const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory }
  return startSalus(['import', ...args], environment, input).result
}

/** Runs `salus import` where there is neither a server nor a key. */
const alone = (args: string[], input?: string) =>
  startSalus(['import', ...args], { SALUS_DATA_DIR: join(folder, 'none') }, input).result

function fileOf(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Local times stay as they are, so that a test is about something else than their zone. */
const FLOATING = ['--time-zone', 'floating']

/** A file of LibreView whose dates are valid with the day first and with the month first. */
function libreView(dates: readonly string[]): string {
  const head = [
    ...['Device', 'Serial Number', 'Device Timestamp', 'Record Type'],
    ...['Historic Glucose mg/dL', 'Scan Glucose mg/dL', 'Non-numeric Rapid-Acting Insulin'],
    ...['Rapid-Acting Insulin (units)', 'Non-numeric Food', 'Carbohydrates (grams)'],
    ...['Carbohydrates (servings)', 'Non-numeric Long-Acting Insulin'],
    ...['Long-Acting Insulin (units)', 'Notes', 'Strip Glucose mg/dL', 'Ketone mmol/L'],
    ...['Meal Insulin (units)', 'Correction Insulin (units)', 'User Change Insulin (units)'],
  ]
  const rows = dates.map((date) => `Reader,A-1,${date},0,104${','.repeat(14)}`)
  const title = 'Glucose Data,Created on,02-03-2025 20:00 UTC,Created by,Nn'
  return [title, head.join(','), ...rows].join('\r\n')
}

const METER = 'Date;Time;Glucose\n31.03.2026;07:05;5,6\n31.03.2026;08:05;5,9\n'
const TEMPLATE = {
  ...{ date_format: 'day_first', time_zone: 'Europe/Vienna', decimal: ',' },
  start: { column: 'Date', time_column: 'Time' },
  values: [{ series: 'glucose', column: 'Glucose', unit: 'mmol/L', type: 'fingerprick' }],
}

describe('salus import --dry-run', () => {
  it('prints what a file would become, a JSON object a line, without a server', async () => {
    const path = fileOf('glucose.csv', libreView(['13-02-2025 10:00', '13-02-2025 10:15']))
    const { code, stdout, stderr } = await alone([path, '--dry-run', '--json', ...FLOATING])
    assert.equal(code, 0, stderr)
    assert.equal(
      stderr,
      `${path} is: Glucose data of LibreView (libreview), provider abbott_libreview.\n`,
    )
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first] = lines
    assert.deepEqual(
      [first.resource, first.start, first.type],
      [...['glucose', '2025-02-13T10:00:00+00:00', 'automatic']],
    )
    assert.equal(lines.filter(({ resource }) => resource === 'glucose').length, 2)
  })

  it('prints counts by type, also of stdin', async () => {
    const dated = libreView(['13-02-2025 10:00'])
    const { code, stdout } = await alone(['-', '--dry-run', ...FLOATING], dated)
    assert.equal(code, 0)
    assert.match(stdout, /^stdin is: Glucose data of LibreView/)
    assert.match(stdout, /^Total {2,}1 {2,}1 /m)
    assert.match(stdout, /Nothing was stored\./)
  })

  it('names the options for what the file leaves open', async () => {
    const path = fileOf('open.csv', libreView(['02-03-2025 10:00']))
    const open = await alone([path, '--dry-run', '--json'])
    assert.deepEqual([open.code, open.stdout], [1, ''])
    assert.match(open.stderr, /^ {2}--date-order day_first\|month_first {2}Every date/m)
    assert.match(open.stderr, /^ {2}--time-zone ZONE {2}The file has local times/m)
    const options = ['--date-order', 'month_first', ...FLOATING]
    const { code, stdout } = await alone([path, '--dry-run', ...options])
    assert.equal(code, 0)
    assert.match(stdout, /^Total {2,}1 {2,}1 /m)
  })

  it('says in one line what a wrong file looks like', async () => {
    const pdf = await alone([fileOf('report', '%PDF-1.7\n'), '--dry-run'])
    assert.equal(pdf.code, 1)
    assert.match(pdf.stderr, /^salus: The file has no format .+ It is a PDF document\..+\n$/)
    const table = await alone(['-', '--dry-run'], METER)
    assert.match(table.stderr, /^salus: .+ It is a table with other columns: a CSV template/)
    const dated = libreView(['13-02-2025 10:00'])
    const named = await alone(['-', '--dry-run', '--format', 'whoop'], dated)
    assert.match(named.stderr, /^salus: .+ the named format\. It is: Glucose data of LibreView/)
  })
})

describe('salus import FILE', () => {
  it('has an option for each option of an import', () => {
    const imports = buildProgram().commands.find((command) => command.name() === 'import')
    const file = imports?.commands.find((command) => command.name() === 'file')
    const flags = file?.options.map(({ long }) => long) ?? []
    for (const name of Object.keys(ImportOptions.properties)) {
      const flag = `--${name.replace('_id', '').replaceAll('_', '-')}`
      assert.ok(flags.includes(flag), flag)
      const choices = file?.options.find(({ long }) => long === flag)?.argChoices
      const { enum: values } =
        (ImportOptions.properties as Record<string, { enum?: string[] }>)[name] ?? {}
      assert.deepEqual(choices, values, flag)
    }
  })

  it('prints the command that answers a question, which continues the import', async () => {
    const path = fileOf('question.csv', libreView(['02-03-2025 10:00']))
    const open = await importing([path, '--client-user-id', 'alex', '--create', ...FLOATING])
    assert.equal(open.code, 1)
    assert.match(open.stderr, /nothing is stored yet/)
    const [, command = ''] = / {2}salus import (answer .+)$/m.exec(open.stderr) ?? []
    assert.match(command, /^answer [0-9a-f-]{36} --user [0-9a-f-]{36} --date-order day_first$/)
    const { code, stdout, stderr } = await importing(command.split(' '))
    assert.equal(code, 0, stderr)
    assert.match(stdout, /is complete: 1 records? of/)
    assert.match(stdout, /^Format libreview, provider abbott_libreview\.$/m)
    const [, job = ''] = command.split(' ')
    const again = await importing([
      'answer',
      job,
      '--client-user-id',
      'alex',
      '--weight-unit',
      'kg',
    ])
    assert.match(again.stderr, /^salus: The import does not wait for options\.$/m)
  })

  it('prints the finished job as JSON, and says what a wrong file looks like', async () => {
    const dated = libreView(['13-02-2025 10:00'])
    const done = await importing(['-', '--client-user-id', 'alex', '--json', ...FLOATING], dated)
    assert.equal(done.code, 0, done.stderr)
    const { status, source } = JSON.parse(done.stdout)
    assert.deepEqual([status, source], ['completed', 'libreview'])
    const wrong = await importing([fileOf('picture', '\x89PNG'), '--client-user-id', 'alex'])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^salus: The import failed\. The file has no format .+$/m)
  })
})

describe('salus import csv', () => {
  it('shows the beginning of a table and what it becomes, without a server', async () => {
    const path = fileOf('meter.csv', METER)
    const map = fileOf('meter.json', JSON.stringify(TEMPLATE))
    const bare = await alone(['csv', path, '--preview'])
    assert.equal(bare.code, 0, bare.stderr)
    assert.match(bare.stdout, /^Delimiter: semicolon\. The first row names the columns\.$/m)
    assert.match(bare.stdout, /^Date {2,}date {2,}day_first$/m)
    assert.match(bare.stdout, /^Glucose {2,}number {2,}, {2,}glucose$/m)
    const mapped = await alone(['csv', path, '--preview', '--map', map])
    assert.match(mapped.stdout, /1 {2}glucose 5\.6 mmol\/L {2,}2026-03-31T05:05:00\+00:00/)
    const dry = await alone(['csv', path, '--dry-run', '--map', map])
    assert.match(dry.stdout, /^glucose {2,}glucose {2,}2 {2,}2 /m)
  })

  it('saves a template, and imports other tables by its name', async () => {
    const path = fileOf('meter.csv', METER)
    const map = fileOf('meter.json', JSON.stringify(TEMPLATE))
    const person = ['--client-user-id', 'tables', '--create']
    const first = await importing(['csv', path, '--map', map, '--save', 'Meter', ...person])
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^glucose {2,}glucose {2,}2 {2,}2 /m)
    const again = await importing(['csv', path, '--map', 'Meter', ...person])
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stdout, /^Format csv, provider manual\.$/m)
    const other = fileOf('other.json', JSON.stringify({ ...TEMPLATE, decimal: '.' }))
    const clash = await importing(['csv', path, '--map', other, '--save', 'Meter', ...person])
    assert.match(clash.stderr, /^salus: The team has another template named Meter\./m)
    const unknown = await importing(['csv', path, '--map', 'Scale', ...person])
    assert.match(unknown.stderr, /neither a file nor a template Scale\. The team has: .*Meter/)
  })
})

it('salus import takes a JSON template without a name for it', async () => {
  const path = fileOf('meter.csv', METER)
  const map = fileOf('unnamed.json', JSON.stringify({ ...TEMPLATE, app_id: 'unnamed' }))
  const person = ['--client-user-id', 'unnamed', '--create']
  for (const command of [
    ['csv', path, '--map', map],
    [path, '--template', map],
  ]) {
    const done = await importing([...command, ...person])
    assert.equal(done.code, 0, done.stderr)
    assert.match(done.stdout, /^glucose {2,}glucose {2,}2 {2,}/m)
  }
  const unknown = await importing(['csv', path, '--map', 'Scale', ...person])
  assert.equal(unknown.stderr.match(/unnamed [0-9a-f]{8}/g)?.length, 1, unknown.stderr)
})

it('salus import formats lists the same with a server and without', async () => {
  const listed = await importing(['formats', '--json'])
  const alike = await alone(['formats', '--json'])
  assert.equal(listed.code, 0, listed.stderr)
  assert.deepEqual(JSON.parse(listed.stdout), JSON.parse(alike.stdout))
  const { stdout } = await alone(['formats', 'libreview'])
  assert.match(stdout, /^Glucose data of LibreView \(libreview\)$/m)
  assert.match(stdout, /^Options: --time-zone --date-order$/m)
  assert.equal((await alone(['formats', 'nothing'])).code, 2)
})
