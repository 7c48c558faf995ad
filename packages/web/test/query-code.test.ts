import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as sdk from '../../sdk/src/index.ts'
import { toCsv, toCurl, toSdkCode } from '../src/console/queries/query-code.ts'
import { QUERY_EXAMPLES, textOfExample } from '../src/console/queries/query-examples.ts'

/** What the code of the SDK makes, when it is run. */
function runCode(code: string): unknown {
  const names = Object.keys(sdk)
  const body = code.replace(/^import .*\n/, '')
  const make = new Function(...names, `${body}\nreturn body`)
  return make(...Object.values(sdk))
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('code of the SDK', () => {
  for (const name of Object.keys(QUERY_EXAMPLES) as (keyof typeof QUERY_EXAMPLES)[]) {
    test(`makes the query “${QUERY_EXAMPLES[name].title}”`, () => {
      const request = JSON.parse(textOfExample(name, '2026-11-20'))
      const made = runCode(toSdkCode(request) ?? '')
      // A macro has a version, which is the automatic one unless it is said.
      const text = JSON.stringify(made).replaceAll(',"version":"automatic"', '')
      assert.deepEqual(JSON.parse(text), request)
    })
  }

  test('imports what it uses and nothing else', () => {
    const code = toSdkCode(JSON.parse(textOfExample('workouts', '2026-11-20'))) ?? ''
    const [, imports = ''] = /^import \{ (.*) \}/.exec(code) ?? []
    for (const name of imports.split(', ')) {
      assert.ok(name in sdk, name)
      assert.match(code.slice(code.indexOf('\n')), new RegExp(`\\b${name}\\(`))
    }
  })

  test('knows parts of time, sources, filters and the providers that count first', () => {
    const request = {
      timeframe: { type: 'relative', anchor: '2026-11-20', past: { value: 2, unit: 'week' } },
      queries: [
        {
          select: [
            { group_key: 0 },
            { func: 'mean', arg: { timeseries: 'heart_rate_alert', field: 'value' } },
          ],
          group_by: [
            { date_part: 'weekday', arg: { index: 'timeseries' } },
            { source: 'source_provider' },
          ],
          where: `value > 3 AND type = 'it''s'`,
        },
      ],
      config: { provider_priority_overrides: ['oura'] },
    }
    assert.deepEqual(plain(runCode(toSdkCode(request) ?? '')), request)
  })

  test('is not offered for what the builder cannot say', () => {
    const timeframe = { type: 'relative', anchor: '2026-11-20', past: { value: 1, unit: 'day' } }
    const list = {
      select: { func: 'count', arg: null },
      from: { unnest: { menstrual_cycle: 'menstrual_flow' } },
    }
    for (const request of [
      {},
      null,
      { timeframe, queries: [{ select: [list] }] },
      { timeframe, queries: [{}] },
    ]) {
      assert.equal(toSdkCode(request), undefined)
    }
  })
})

test('the call of the terminal holds neither key nor person, and survives quotes', () => {
  const text = toCurl('https://salus.example', { where: `type = 'nap'` })
  assert.match(text, /\$USER_ID/)
  assert.match(text, /\$SALUS_API_KEY/)
  assert.match(text, /type = '\\''nap'\\''/)
})

test('CSV keeps commas, quotes, lines and nulls apart, and no cell is a formula', () => {
  const table = { 'a,b': ['x "y"', null, '=1+1'], n: [-1.5, 0, 'two\nlines'] }
  assert.equal(toCsv(table), '"a,b",n\r\n"x ""y""",-1.5\r\n,0\r\n\'=1+1,"two\nlines"\r\n')
})
