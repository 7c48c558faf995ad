import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { PROFILE_DEFAULTS, type ProfileDefaults } from './profiles.registry.ts'

const PAGE = readFileSync(
  new URL('../../../../../docs/lab-connections.md', import.meta.url),
  'utf8',
)
const PROFILES = ['hl7-2.3-legacy', 'hl7-2.3.1-legacy', 'loi-lri-2.5.1'] as const

/** The settings of a section with their values; maps and lists are one value. */
function settingsOf(defaults: ProfileDefaults): Map<string, unknown> {
  const { traits: _traits, ...sections } = defaults
  const { placer, ...numbers } = sections.numbers
  const all = { ...sections, numbers, 'numbers.placer': placer }
  return new Map(
    Object.entries(all).flatMap(([section, rules]) =>
      Object.entries(rules).map(([key, value]): [string, unknown] => [`${section}.${key}`, value]),
    ),
  )
}

const cellOf = (value: unknown): string => {
  if (value === null || value === '') return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '{}' || text === '[]' ? 'none' : `\`${text}\``
}

/** The rows of the page, in the order of the settings. */
function expectedRows(): string[] {
  const columns = PROFILES.map((profile) => settingsOf(PROFILE_DEFAULTS[profile]))
  const [first] = columns
  return [...(first?.keys() ?? [])].map((key) => {
    const cells = columns.map((column) => cellOf(column.get(key)))
    return `| \`${key}\` | ${cells.join(' | ')} |`
  })
}

test('the page has the default of every setting in every profile', () => {
  const rows = expectedRows()
  assert.ok(rows.length > 40)
  const [, after = ''] = PAGE.split('## Defaults of the profiles')
  const [section = ''] = after.split('\n## ')
  const found = section.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(found, rows)
})

test('the page names every setting that a configuration may have', () => {
  const missing = Object.entries(LabConnectionConfig.properties).flatMap(([key, schema]) => {
    const { properties = {} } = schema as { properties?: Record<string, unknown> }
    const names = [key, ...Object.keys(properties)]
    return names.filter((name) => !PAGE.includes(`${name}\``)).map((name) => `${key}: ${name}`)
  })
  assert.deepEqual(missing, [])
})
