import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { type OpeningHours, readOpeningHours } from './opening-hours.ts'

const brief = (hours: OpeningHours | undefined) =>
  hours &&
  Object.entries(hours)
    .filter(([, openings]) => openings.length > 0)
    .map(
      ([day, openings]) => `${day} ${openings.map(({ open, close }) => `${open}-${close}`).join()}`,
    )
    .join('; ')

for (const [text, expected] of [
  ['Mo 07:00-16:00', 'monday 07:00-16:00'],
  ['sa-su 00:00-24:00', 'saturday 00:00-24:00; sunday 00:00-24:00'],
  [
    'Mo,We,Fr 08:00-12:00,13:00-17:30',
    'monday 08:00-12:00,13:00-17:30; wednesday 08:00-12:00,13:00-17:30; friday 08:00-12:00,13:00-17:30',
  ],
  ['Mo-Tu 07:00-09:00; Tu 06:00-07:00;', 'monday 07:00-09:00; tuesday 06:00-07:00,07:00-09:00'],
  ['', ''],
  ['Mo 16:00-07:00', undefined],
  ['Mo 07:00-07:00', undefined],
  ['Mo 07:00-25:00', undefined],
  ['Mo 7-16', undefined],
  ['Fr-Mo 07:00-16:00', undefined],
  ['Xx 07:00-16:00', undefined],
  ['Mo 07:00-12:00,11:00-13:00', undefined],
  ['Mo-Fr 07:00-12:00; Tu 11:00-13:00', undefined],
  ['Mo', undefined],
  ['open always', undefined],
] as const) {
  test(`opening hours written as "${text}" are ${expected ?? 'refused'}`, () => {
    assert.equal(brief(readOpeningHours(text)), expected)
  })
}
