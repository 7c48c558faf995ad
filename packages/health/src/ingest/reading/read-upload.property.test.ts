import assert from 'node:assert/strict'
import { test } from 'node:test'
import { series as seriesOf } from '@salus/contracts/series'
import { checkParsedJson } from '@salus/kernel/http/json-limits'
import fc from 'fast-check'
import { parseBody } from '../../../../server/test/body-parser.ts'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { anyItem, anyMutation, anyStyle, mutate } from '../../../../server/test/upload-texts.ts'
import type { UploadBody } from '../ingest.schema.ts'
import { parseUpload } from '../upload-parser.ts'
import { readUpload } from './read-upload.ts'
import { UploadItems } from './upload-items.ts'

const anyUpload = fc
  .array(anyStyle, { minLength: 1, maxLength: 3 })
  .chain((styles) =>
    fc.record({
      items: fc.array(anyItem(styles), { minLength: 1, maxLength: 30, size: 'max' }),
      before: fc.constantFrom(
        '"stage":"daily","provider":"manual",',
        '"provider":"apple_health_kit","time_zone":"Asia/Tokyo",',
        '"provider":"manual","data":[],',
        '"note":"\\"data\\":[","provider":"manual",',
      ),
      after: fc.constantFrom('', '', '', ',"is_final_chunk":true', ',"data":[]', ',"x":[[]]', ','),
      space: fc.constantFrom('', '', ' '),
    }),
  )
  .map(
    ({ items, before, after, space }) =>
      `{${before}"data"${space}:${space}[${items.join(`,${space}`)}]${after}}`,
  )

test('a body that is read in one pass is what the parser makes of it, and so are its samples', async () => {
  let [read, columns] = [0, 0]
  const property = fc.asyncProperty(anyUpload, anyMutation, async (text, mutation) => {
    const bytes = Buffer.from(mutate(text, mutation))
    const found = (await readUpload(bytes, parseBody)) as UploadBody | undefined
    if (found === undefined) return
    const expected = parseBody(bytes.toString()) as UploadBody
    checkParsedJson(expected)
    const [items] = found.data
    assert.ok(items instanceof UploadItems)
    const all = Array.from({ length: items.count }, (_, index) => items.itemAt(index))
    assert.deepEqual({ ...found, data: all }, expected)
    for (const name of ['heartrate', 'steps', 'stand_hour'] as const) {
      const args = [seriesOf(name), 'Europe/Vienna'] as const
      assert.deepEqual(await parseUpload(found, ...args), await parseUpload(expected, ...args))
    }
    read += 1
    columns += all.filter((_, index) => items.layoutOf(index) !== -1).length
  })
  const numRuns = campaignRuns(600, 20_000)
  await fc.assert(property, { seed: 114, numRuns })
  // It must not pass because nothing is read this way.
  assert.ok(read > numRuns / 8, `${read} bodies`)
  assert.ok(columns > numRuns, `${columns} items`)
})
