import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { anyItem, anyMutation, anyStyle, mutate } from '../../../server/test/upload-texts.ts'
import type { UserToUpload } from '../connections/index.ts'
import { BodyState, LotParser } from './lot-parser.ts'
import { readNdjson } from './read-ndjson.ts'
import { ReadRow, RefusedRow } from './rows.ts'

/** Users by id and by the id of their team. */
const USERS = new Map<string, UserToUpload>(
  ['ann', 'bob', 'eve'].flatMap((name, index) => {
    const id = `00000000-0000-4000-8000-00000000000${index}`
    const dates = { fallback_birth_date: null, ingestion_start: null, ingestion_end: null }
    const zone = { fallback_time_zone: null, fallback_time_zone_source: null }
    const connected_status = name === 'eve' ? null : ('connected' as const)
    const user = { id, client_user_id: name, ...dates, ...zone, connected_at: null }
    return [id, name].map((key) => [key, { ...user, connected_status }] as const)
  }),
)

const anyOwner = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...USERS.keys()) },
  fc.constantFrom('ä', 'b\\u006fb', ''),
)

/** Fields of a row that an item of an upload does not have. */
const anyRowFields = fc
  .tuple(
    anyOwner,
    fc.constantFrom('user_id', 'client_user_id', 'client_user_id'),
    fc.constantFrom('heartrate', 'heartrate', 'steps', 'glucose', 'moon_phase'),
    fc.constantFrom('', '', '', '"timezone_offset":3600,', '"timezone_offset":1e9,'),
    fc.constantFrom('', '', '', '"time_zone":"Asia/Tokyo",', '"user_id":null,', '"id":5,'),
  )
  .map(
    ([owner, key, resource, offset, more]) =>
      `"${key}":"${owner}","resource":"${resource}",${offset}${more}`,
  )

/** What follows a line before its end. */
const anyTail = fc.oneof(
  { weight: 30, arbitrary: fc.constant('') },
  fc.constantFrom(' ', '\t', '\r', 'x', '}', ',{}'),
)

const anyLine = (styles: Parameters<typeof anyItem>[0], fields: readonly string[]) =>
  fc
    .tuple(anyItem(styles), fc.constantFrom(...fields), anyMutation, fc.nat({ max: 9 }), anyTail)
    .map(([item, row, mutation, rarely, tail]) => {
      const line = item.replaceAll('\n', '').replace('{', `{${row}`) + tail
      return rarely === 0 ? mutate(line, mutation) : line
    })

const bodies = fc
  .tuple(
    fc.array(anyStyle, { minLength: 1, maxLength: 2 }),
    fc.array(anyRowFields, { minLength: 1, maxLength: 4 }),
  )
  .chain(([styles, fields]) =>
    fc.record({
      lines: fc.array(
        fc.oneof(
          { weight: 40, arbitrary: anyLine(styles, fields) },
          fc.constantFrom('', ' ', '[]', '7'),
        ),
        { minLength: 1, maxLength: 60, size: 'max' },
      ),
      end: fc.constantFrom('\n', '\n', '\r\n'),
      chunkBytes: fc.constantFrom(1, 100, 700, 5_000),
      bom: fc.constantFrom('', '', '\ufeff'),
    }),
  )

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** What the parser makes of a line. */
function parsed(line: string): unknown {
  if (line.trim() === '') return undefined
  try {
    return JSON.parse(line) ?? 'invalid_json'
  } catch {
    return 'invalid_json'
  }
}

function collect(items: readonly unknown[]) {
  const users = { get: (_id: unknown, named: string) => USERS.get(named) }
  const parser = new LotParser('manual', users as never, new BodyState())
  const problems = items.map((item) => (item === undefined ? undefined : parser.add(item)))
  const groups = [...parser.groups.values()].map(({ user, series, ...group }) => ({
    ...{ user: user.id, series: series.name },
    ...{ samples: group.samples, quarantined: group.quarantined, devices: group.devices.devices },
  }))
  return { problems, groups }
}

test('lines that are read in one pass are what the parser makes of them, and so are their samples', async () => {
  let [count, inOnePass] = [0, 0]
  const property = fc.asyncProperty(bodies, async ({ lines, end, chunkBytes, bom }) => {
    const text = bom + lines.join(end)
    const read: unknown[] = []
    const chunks = cut(Buffer.from(text), chunkBytes)
    for await (const { firstLine, items } of readNdjson(toStream(chunks))) {
      assert.equal(firstLine, read.length + 1)
      read.push(...items)
    }
    const plain = read.map((item) => (item instanceof ReadRow ? item.toItem() : item))
    const shown = plain.map((item) => (item instanceof RefusedRow ? item.reason : item))
    const expected = lines.join(end).split('\n').map(parsed)
    // An empty last line is none.
    assert.deepEqual(shown, expected.slice(0, shown.length))
    assert.ok(expected.slice(shown.length).every((item) => item === undefined))
    assert.deepEqual(collect(read), collect(plain))
    count += read.length
    inOnePass += read.filter((item) => item instanceof ReadRow).length
  })
  await fc.assert(property, { seed: 119, numRuns: campaignRuns(200, 10_000) })
  // It must not pass because nothing is read this way.
  assert.ok(inOnePass > count / 8, `${inOnePass} of ${count} lines`)
})

async function* toStream(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}
