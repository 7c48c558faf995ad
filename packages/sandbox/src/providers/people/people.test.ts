import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { activeMinutes } from './activity.ts'
import { Calendar, type Span } from './days.ts'
import { diaryOf } from './diary.ts'
import { glucoseAt } from './glucose.ts'
import { Heart } from './heart.ts'
import { localText, midnightOf, offsetAt } from './local-time.ts'
import { personOf, ZONES } from './person.ts'
import { sleepsOn } from './sleep.ts'
import { statesOn } from './states.ts'
import { RING_SYNC, syncedUntil } from './sync.ts'

/** People are believable, and the same whoever asks, and in which order. */

const FIRST_DAY = 20_000
const days = fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 1500 })
const names = fc.tuple(fc.string({ maxLength: 12 }), fc.constantFrom('', '+travel', '+gaps'))
const people = names.map(([name, wish]) => personOf('oura', name + wish))
const RUNS = { numRuns: 150 }

const beatsOf = (calendar: Calendar, span: Span): [number, number, string][] => {
  const beats: [number, number, string][] = []
  new Heart(calendar).each(span, MINUTE_MS, (...beat) => beats.push(beat))
  return beats
}

test('the same account is the same person, and another one another', () => {
  assert.deepEqual(personOf('oura', 'anna'), personOf('oura', 'anna'))
  assert.notEqual(personOf('oura', 'anna').seed, personOf('oura', 'bob').seed)
  assert.notEqual(personOf('oura', 'anna').seed, personOf('fitbit', 'anna').seed)
})

describe('days', () => {
  test('follow each other without gap or overlap, also on a journey', () => {
    fc.assert(
      fc.property(people, days, (person, number) => {
        const calendar = new Calendar(person)
        const [day, next] = [calendar.day(number), calendar.day(number + 1)]
        assert.equal(day.to, next.from)
        const hours = (day.to - day.from) / HOUR_MS
        assert.ok(hours >= 15 && hours <= 33, `${hours} hours`)
        if (day.zone === next.zone) assert.ok(hours >= 23 && hours <= 25, `${hours} hours`)
        assert.equal(calendar.dayAt(day.from), day)
        assert.equal(calendar.dayAt(day.to - 1), day)
      }),
      RUNS,
    )
  })

  test('are full of activities, one at a time', () => {
    fc.assert(
      fc.property(people, days, (person, number) => {
        const calendar = new Calendar(person)
        const day = calendar.day(number)
        const states = statesOn(calendar, day)
        assert.equal(states[0]?.from, day.from)
        assert.equal(states.at(-1)?.to, day.to)
        for (const [position, state] of states.entries()) {
          assert.ok(state.from < state.to)
          if (position > 0) assert.equal(states[position - 1]?.to, state.from)
        }
      }),
      RUNS,
    )
  })

  test('have nights of believable length that never meet, nor a nap or exercise', () => {
    fc.assert(
      fc.property(people, days, (person, number) => {
        const calendar = new Calendar(person)
        const { night, nap, exercises } = calendar.day(number)
        const hours = (night.to - night.from) / HOUR_MS
        assert.ok(hours >= 2 && hours <= 14, `${hours} hours`)
        const spans = [night, ...exercises, ...(nap ? [nap] : []), calendar.day(number + 1).night]
        const ordered = spans.toSorted((one, other) => one.from - other.from)
        for (const [position, span] of ordered.entries()) {
          const before = ordered[position - 1]
          assert.ok(before === undefined || before.to <= span.from, JSON.stringify(spans))
        }
      }),
      RUNS,
    )
  })

  test('are the same whichever is read first', () => {
    const person = personOf('oura', 'anna+travel')
    const [forward, backward] = [new Calendar(person), new Calendar(person)]
    const numbers = Array.from({ length: 90 }, (_, index) => FIRST_DAY + index)
    for (const number of numbers) forward.day(number)
    for (const number of numbers.toReversed()) backward.day(number)
    for (const number of numbers) assert.deepEqual(forward.day(number), backward.day(number))
  })

  test('of a traveller are elsewhere for some, and at home for others', () => {
    const calendar = new Calendar(personOf('oura', 'anna+travel'))
    const zones = Array.from({ length: 120 }, (_, index) => calendar.day(FIRST_DAY + index).zone)
    assert.ok(new Set(zones).size > 1)
    assert.ok(zones.includes(calendar.person.homeZone))
  })
})

test('local time agrees with the zone, around changes of the clock too', () => {
  const zones = fc.constantFrom(...ZONES)
  const instants = fc.integer({ min: FIRST_DAY * 1440, max: (FIRST_DAY + 1500) * 1440 })
  fc.assert(
    fc.property(zones, instants, (timeZone, minute) => {
      const at = minute * MINUTE_MS
      const expected = new Date(at).toLocaleString('sv', { timeZone }).replace(' ', 'T')
      assert.equal(localText(at, offsetAt(timeZone, at)).slice(0, 19), expected)
      assert.equal(Date.parse(localText(at, offsetAt(timeZone, at))), at)
      const day = Math.floor((at + offsetAt(timeZone, at)) / DAY_MS)
      const midnight = midnightOf(timeZone, day)
      assert.ok(at >= midnight && at < midnightOf(timeZone, day + 1))
    }),
    { numRuns: 400 },
  )
})

describe('hearts', () => {
  test('beat the same whatever part is read', () => {
    fc.assert(
      fc.property(people, days, fc.integer({ min: 1, max: 1400 }), (person, number, minutes) => {
        const from = number * DAY_MS
        const cut = from + minutes * MINUTE_MS
        const whole = beatsOf(new Calendar(person), { from, to: from + DAY_MS })
        const parts = new Calendar(person)
        const second = beatsOf(parts, { from: cut, to: from + DAY_MS })
        assert.deepEqual([...beatsOf(parts, { from, to: cut }), ...second], whole)
      }),
      { numRuns: 60 },
    )
  })

  test('beat within what a body can, slower asleep than awake, and fastest in strenuous exercise', () => {
    fc.assert(
      fc.property(people, days, (person, number) => {
        const from = number * DAY_MS
        const beats = beatsOf(new Calendar(person), { from, to: from + 14 * DAY_MS })
        const meanOf = (wanted: string): number | undefined => {
          const rates = beats.filter(([, , context]) => context === wanted).map(([, rate]) => rate)
          return rates.length === 0 ? undefined : rates.reduce((a, b) => a + b) / rates.length
        }
        for (const [, rate] of beats) {
          assert.ok(rate >= 35 && rate <= person.maximalHeartRate + 4, `${rate}`)
        }
        const [asleep, awake, workout] = ['sleep', 'awake', 'workout'].map(meanOf)
        if (asleep && awake) assert.ok(asleep + 5 < awake, `${asleep} ${awake}`)
        // An hour of yoga is no more for a heart than a walk.
        const isStrenuous = person.sports.every(({ intensity }) => intensity > 0.4)
        if (isStrenuous && awake && workout) assert.ok(awake < workout, `${awake} ${workout}`)
      }),
      { numRuns: 30 },
    )
  })
})

test('a night has all stages, and those add up to it', () => {
  fc.assert(
    fc.property(people, days, (person, number) => {
      for (const { from, to, stages } of sleepsOn(new Calendar(person), number)) {
        assert.equal(stages.length * 5 * MINUTE_MS, to - from)
      }
      const [night] = sleepsOn(new Calendar(person), number)
      const part = (stage: string) =>
        (night?.stages.filter((one) => one === stage).length ?? 0) / (night?.stages.length ?? 1)
      assert.ok(part('awake') < 0.4 && part('light') > 0.1)
    }),
    RUNS,
  )
})

test('steps of a day are those of people', () => {
  const means = Array.from({ length: 40 }, (_, index) => {
    const calendar = new Calendar(personOf('oura', `walker ${index}`))
    const from = FIRST_DAY * DAY_MS
    const minutes = activeMinutes(calendar, { from, to: from + 14 * DAY_MS })
    assert.ok(minutes.every(({ met, steps }) => met >= 0.9 && met < 16 && steps < 220))
    return minutes.reduce((sum, { steps }) => sum + steps, 0) / 14
  })
  assert.ok(
    means.every((steps) => steps > 1500 && steps < 26_000),
    means.join(' '),
  )
})

describe('glucose', () => {
  test('is within what a sensor reads, and moves without jumps', () => {
    fc.assert(
      fc.property(people, days, (person, number) => {
        const calendar = new Calendar(person)
        const from = number * DAY_MS
        let last = glucoseAt(calendar, from)
        for (let at = from; at < from + DAY_MS; at += 5 * MINUTE_MS) {
          const value = glucoseAt(calendar, at)
          assert.ok(value >= 40 && value <= 400)
          assert.ok(Math.abs(value - last) <= 45, `${last} ${value}`)
          last = value
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of a diary only grows as time goes on, and is the same for each part', () => {
    const calendar = new Calendar(personOf('freestyle_libre', 'mia@example.com'))
    const [from, to] = [FIRST_DAY * DAY_MS, (FIRST_DAY + 6) * DAY_MS]
    const later = diaryOf(calendar, { from, to }, to + 10 * DAY_MS)
    const then = diaryOf(calendar, { from, to }, to - 3 * DAY_MS)
    assert.deepEqual(then, later.slice(0, then.length))
    assert.ok(then.length > 200 && then.length < later.length)
    const middle = from + 2.3 * DAY_MS
    const parts = [
      { from, to: middle },
      { from: middle, to },
    ]
    const joined = parts.flatMap((span) => diaryOf(calendar, span, to + 10 * DAY_MS))
    assert.deepEqual(joined, later)
  })
})

test('a device hands over more and more, late, but not by weeks', () => {
  fc.assert(
    fc.property(people, days, fc.integer({ min: 1, max: 600 }), (person, number, minutes) => {
      const calendar = new Calendar(person)
      const now = number * DAY_MS
      const until = syncedUntil(calendar, now, RING_SYNC)
      assert.ok(until <= now && until >= now - 7 * DAY_MS)
      assert.ok(syncedUntil(calendar, now + minutes * MINUTE_MS, RING_SYNC) >= until)
    }),
    RUNS,
  )
})

test('a day of heart rates by the minute takes well under a millisecond', () => {
  const calendar = new Calendar(personOf('oura', 'anna'))
  const span = { from: FIRST_DAY * DAY_MS, to: (FIRST_DAY + 90) * DAY_MS }
  beatsOf(calendar, span)
  const startedAt = process.cpuUsage()
  beatsOf(calendar, span)
  const { user, system } = process.cpuUsage(startedAt)
  const perDay = (user + system) / 1000 / 90
  // Many times what it takes, for a machine that is busy.
  assert.ok(perDay < 4, `${perDay} ms`)
})
