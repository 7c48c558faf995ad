import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findUnprinted, readPastedOutputs } from '../../../scripts/guide-output.ts'

const COPY = '/tmp/salus-clean-1'
const unprinted = (pasted: string, printed: string): string[] =>
  findUnprinted(pasted, printed, COPY)

const PAGE = `
\`\`\`text
before any command
\`\`\`

\`\`\`sh run
salus --version
\`\`\`

\`\`\`text
0.1.0
\`\`\`

\`\`\`json example
{"not": "compared"}
\`\`\`

\`\`\`sh
salus mcp
\`\`\`

\`\`\`json
{"is": "compared"}
\`\`\`
`

describe('the outputs on a page', () => {
  it('stand behind commands that are run, and say so when they were seen otherwise', () => {
    assert.deepEqual(readPastedOutputs(PAGE), [
      { commandsLine: 6, line: 10, text: '0.1.0\n' },
      { commandsLine: 6, line: 22, text: '{"is": "compared"}\n' },
    ])
  })
})

describe('a pasted output', () => {
  it('may have another id, time, key, port, folder and duration', () => {
    const pasted = [
      '{"id":"5a475fe6-cfd7-4ef1-a250-5c69cbd9193b","at":"2026-11-23T14:48:29.757Z"}',
      'Sandbox API key  sk_us_3XZBvc…',
      'http://127.0.0.1:8787/docs',
      '/srv/salus/data took 0.58 s',
    ].join('\n')
    const printed = [
      '{"id":"731d3b1d-a235-427f-afee-0e82e4bbfe18","at":"2027-01-02T03:04:05Z"}',
      'Sandbox API key  sk_us_YWiA3qOh2kS0Xv9',
      'http://127.0.0.1:40537/docs',
      `${COPY}/data took 11 s`,
    ].join('\n')
    assert.deepEqual(unprinted(pasted, printed), [])
  })

  it('may be indented, and leave out what … stands for', () => {
    const printed = '{"status":"ok","stores":{"postgres":"ok","clickhouse":"ok"},"steps":[1,2,3]}'
    assert.deepEqual(
      unprinted('{\n  "status": "ok",\n  "stores": {…},\n  "steps": [1, …]\n}', printed),
      [],
    )
  })

  it('has no other count, field, value or word', () => {
    const printed = '{"status":"ok","count":13,"day":"2024-03-02"}\n2 rows are there'
    for (const line of [
      '{"status":"failed"',
      '"count": 12',
      '"state": "ok"',
      '"day": "2024-03-03"',
      '3 rows are there',
      '2 rows were there',
    ]) {
      assert.deepEqual(unprinted(line, printed), [line])
    }
  })
})
