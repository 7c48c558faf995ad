import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import {
  DIARY_DAY,
  DIARY_ENTRY,
} from '../../../../server/test/connectors/pages/my-fitness-pal.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapDiary } from './diary.mapper.ts'
import { failureOf } from './diary-key.ts'
import { MY_FITNESS_PAL } from './my-fitness-pal.connector.ts'

const caloriesOf = (summary: { values: object } | undefined): unknown =>
  (summary?.values as { calories?: number } | undefined)?.calories

function map(answer: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'my_fitness_pal' })
  mapDiary(answer, data)
  return data
}

const known = (values: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && typeof value !== 'string'),
  )

test('what was eaten at a meal of a day is one meal, at noon UTC of the day', () => {
  const { summaries, quarantined } = map([DIARY_DAY])
  assert.deepEqual(quarantined, [])
  const [breakfast, second] = summaries
  assert.deepEqual(
    summaries.map(({ recordId, startedAt, calendarDate, timezoneOffset, sourceType }) => [
      recordId,
      startedAt,
      calendarDate,
      timezoneOffset,
      sourceType,
    ]),
    ['Breakfast', 'Second breakfast'].map((name) => [
      `2026-02-03-${name}`,
      Date.UTC(2026, 1, 3, 12),
      '2026-02-03',
      null,
      'app',
    ]),
  )
  assert.deepEqual(known(breakfast?.values ?? {}), {
    calories: 310,
    carbohydrate_gram: 57,
    protein_gram: 8,
    fibre_gram: 4,
    sugar_gram: 9.5,
    cholesterol_gram: 0.015,
    saturated_fat_gram: 1.25,
    total_fat_gram: 4.5,
    sodium_milligram: 420,
    potassium_milligram: 300,
  })
  assert.equal(caloriesOf(second), 210)
  assert.match(JSON.stringify(breakfast?.values), /Field Mill Oat porridge/)
})

test('an invalid entry is quarantined alone, and a day without entries has no meals', () => {
  const wrong = [
    { ...DIARY_ENTRY, nutritional_contents: { ...DIARY_ENTRY.nutritional_contents, fat: -1 } },
    { ...DIARY_ENTRY, nutritional_contents: { energy: { value: 'much', unit: 'calories' } } },
    7,
  ]
  const { summaries, quarantined } = map([{ ...DIARY_DAY, food_entries: [...wrong, DIARY_ENTRY] }])
  assert.deepEqual(
    quarantined.map(({ reason }) => reason),
    ['out_of_range', 'invalid_value', 'not_an_object'],
  )
  assert.equal(caloriesOf(summaries[0]), 210)
  assert.deepEqual(map([{ date: '2026-02-03', food_entries: [] }]).summaries, [])
  const days = map([{ ...DIARY_DAY, date: 'today' }, null])
  assert.deepEqual(
    days.quarantined.map(({ reason }) => reason),
    ['invalid_date', 'not_an_object'],
  )
  for (const odd of [null, {}, 'The key is not correct.'])
    assert.throws(() => map(odd), VendorError)
})

test('entries without a meal or a food are kept', () => {
  const { meal_name: _, food: __, ...bare } = DIARY_ENTRY
  const [meal] = map([{ date: '2026-02-03T00:00:00Z', food_entries: [bare] }]).summaries
  assert.equal(meal?.recordId, '2026-02-03-')
  assert.equal(caloriesOf(meal), 210)
})

test('a page of a check for bots blocks, and is not taken for a refused key', () => {
  const failure = (status: number, type: string, body: string) =>
    failureOf(new OutboundAnswer('vendor', status, { 'content-type': type }, Buffer.from(body)))
  const html = 'text/html; charset=UTF-8'
  assert.deepEqual(failure(403, html, '<html>'), { kind: 'blocked', retryAfterMs: null })
  assert.deepEqual(failure(200, html, '<html>'), { kind: 'blocked', retryAfterMs: null })
  assert.equal(failure(502, html, '<html>'), undefined)
  assert.deepEqual(failure(403, 'application/json', '{}'), { kind: 'unauthorized' })
  assert.deepEqual(failure(200, 'text/plain', 'Key is not correct'), { kind: 'unauthorized' })
  const day = JSON.stringify([{ note: 'not correct' }])
  assert.equal(failure(200, 'application/json', day), undefined)
})

test('a request has the key, whose diary it is, and the days of a range', () => {
  const [diary] = MY_FITNESS_PAL.collections
  const range = { from: Date.UTC(2026, 1, 1, 10), to: Date.UTC(2026, 1, 8) }
  const context = { extra: {}, now: range.to, app: undefined }
  const tokens = {
    accessToken: 'key',
    refreshToken: null,
    expiresAt: null,
    extra: { username: 'mia b' },
  }
  const page = diary?.page(range, null, context) ?? assert.fail()
  const request = MY_FITNESS_PAL.authorize?.(page, tokens, undefined) ?? assert.fail()
  assert.deepEqual(request.query, { username: 'mia b' })
  assert.equal(
    request.headers?.referer,
    'https://www.myfitnesspal.com/reports/printable-diary/mia%20b?from=2026-02-01&to=2026-02-07',
  )
  const { key, username, from, to } = request.json as Record<string, unknown>
  assert.deepEqual([key, username, from, to], ['key', 'mia b', '2026-02-01', '2026-02-07'])
})
