import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderShownBy, readStravaDate } from './strava-dates.ts'

const SEVEN = Date.UTC(2026, 3, 30, 7, 0, 0)

test('dates of the languages of the vendor are read', () => {
  for (const text of [
    'Apr 30, 2026, 7:00:00 AM',
    'Apr 30, 2026, 7:00:00\u202fAM',
    '30 Apr 2026, 07:00:00',
    '30 Apr 2026 07:00:00',
    '30.04.2026, 07:00:00',
    '30. April 2026, 07:00:00',
    '30 avr. 2026, 07:00:00',
    '30 avr. 2026 à 07:00:00',
    '30 abr 2026, 7:00:00 a. m.',
    '30. apr. 2026 kl. 07.00.00',
    '30 kwi 2026, 07:00:00',
    '30 апр. 2026 г., 07:00:00',
    '2026/04/30 7:00:00',
    '2026年4月30日 07:00:00',
    '2026年4月30日 上午7:00:00',
    '2026. 4. 30. 오전 7:00:00',
    '30 abr 2026 7:00:00',
    '30 de abr. de 2026, 07:00:00',
    '30 apr. 2026 07:00:00',
    '2026-04-30 07:00:00',
    '2026-04-30 07:00:00 UTC',
    '2026-04-30T07:00:00Z',
  ]) {
    assert.equal(readStravaDate(text, undefined), SEVEN, text)
  }
})

test('every month is read in English, German, French and Spanish', () => {
  const months = [
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
    'ene feb mar abr may jun jul ago sept oct nov dic',
  ]
  for (const names of months) {
    for (const [index, name] of names.split(' ').entries()) {
      const read = readStravaDate(`3 ${name} 2025, 00:30:00`, undefined)
      assert.equal(read, Date.UTC(2025, index, 3, 0, 30), name)
    }
  }
})

test('noon and midnight of twelve hours', () => {
  const at = (time: string) => readStravaDate(`Apr 30, 2026, ${time}`, undefined)
  assert.equal(at('12:05:00 AM'), Date.UTC(2026, 3, 30, 0, 5))
  assert.equal(at('12:05:00 PM'), Date.UTC(2026, 3, 30, 12, 5))
  assert.equal(at('13:05:00 PM'), undefined)
})

test('dates with slashes need the order of day and month', () => {
  assert.equal(readStravaDate('04/05/2026, 07:00:00', undefined), undefined)
  assert.equal(readStravaDate('04/05/2026, 07:00:00', 'day_first'), Date.UTC(2026, 4, 4, 7))
  assert.equal(readStravaDate('04/05/2026, 07:00:00', 'month_first'), Date.UTC(2026, 3, 5, 7))
  assert.deepEqual(
    ['04/05/2026, 1', '14/05/2026, 1', '04/15/2026, 1', 'Apr 3, 2026, 1'].map(orderShownBy),
    ['unknown', 'day_first', 'month_first', undefined],
  )
})

test('days that do not exist and other texts are none', () => {
  for (const text of ['', 'Apr 31, 2026, 7:00:00 AM', '30 Foo 2026, 07:00:00', '=1+1', '2026']) {
    assert.equal(readStravaDate(text, 'day_first'), undefined, text)
  }
})

test('hours after noon are read in East Asian languages', () => {
  const [noon, evening] = [Date.UTC(2026, 3, 30, 12, 5), Date.UTC(2026, 3, 30, 19, 5)]
  for (const half of ['下午', '午後', '오후']) {
    assert.equal(readStravaDate(`2026/4/30 ${half} 12:05:00`, undefined), noon, half)
    assert.equal(readStravaDate(`2026/4/30 ${half} 7:05:00`, undefined), evening, half)
  }
  assert.equal(readStravaDate('2026/4/30 上午 13:05:00', undefined), undefined)
})
