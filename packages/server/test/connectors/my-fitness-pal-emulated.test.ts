import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { loggedMealsOn } from '../../../sandbox/src/providers/people/glucose.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector of diaries brings what the emulated people ate. */

const vendor = new EmulatedPassword('my_fitness_pal')
const RANGE = { from: vendor.now() - 40 * DAY_MS, to: vendor.now() }

before(() => vendor.emulator.listen())
after(() => vendor.close())

/** Sums of a day, of people whose energy is in either unit. */
test('every day of a diary arrives: what was eaten, and its energy', async () => {
  const units = new Set<string>()
  for (const account of ['anna', 'bob', 'carla', 'dave', 'emil']) {
    const tokens = await vendor.tokensOf(account)
    const { summaries, quarantined } = await vendor.pull('diary', tokens, RANGE)
    assert.deepEqual(quarantined, [])
    const calendar = new Calendar(personOf('my_fitness_pal', account))
    const truth = vendor.emulator.truthOf('my_fitness_pal', account, RANGE)
    const days = truth.diary as { date: string; food_entries: Entry[] }[]
    const expected = new Map<string, number>()
    for (const { date, food_entries: entries } of days) {
      for (const { meal_name: name, nutritional_contents: eaten } of entries) {
        const key = `${date}-${name}`
        expected.set(key, (expected.get(key) ?? 0) + eaten.carbohydrates)
        units.add(eaten.energy.unit)
      }
    }
    const stored = new Map(summaries.map((one) => [one.recordId, one]))
    assert.ok(expected.size > 60)
    assert.deepEqual([...stored.keys()].toSorted(), [...expected.keys()].toSorted())
    for (const [key, carbohydrates] of expected) {
      const meal = stored.get(key) ?? assert.fail()
      const day = Date.parse(`${key.slice(0, 10)}T00:00:00Z`)
      assert.deepEqual([meal.startedAt, meal.timezoneOffset], [day + 12 * HOUR_MS, null])
      const values = meal.values as Record<string, number>
      assert.ok(Math.abs(Number(values.carbohydrate_gram) - carbohydrates) < 1e-9)
      const { protein_gram: protein = 0, total_fat_gram: fat = 0 } = values
      const kilocalories = 4 * carbohydrates + 4 * protein + 9 * fat
      assert.ok(Math.abs(Number(values.calories) - kilocalories) < 0.2, key)
    }
    // Those of the person, but for some that are deleted or not logged yet.
    const eaten = calendar
      .days({ from: RANGE.from + DAY_MS, to: RANGE.to - 2 * DAY_MS })
      .filter(({ number }) => loggedMealsOn(calendar, number).length > 0)
    const missing = eaten.filter(
      ({ number }) => ![...stored.keys()].some((key) => key.startsWith(dateText(number))),
    )
    assert.ok(missing.length <= 1)
  }
  assert.deepEqual(units, new Set(['calories', 'kilojoules']))
})

interface Entry {
  meal_name: string
  nutritional_contents: { carbohydrates: number; energy: { unit: string } }
}

test('a wrong key is no block, and a block is no wrong key', async () => {
  const wrong = { state: 'refused', reason: 'wrong_credential' }
  assert.deepEqual(await vendor.signIn('anna', 'wrong'), wrong)
  assert.deepEqual(await vendor.signIn('anna', 'expired'), wrong)
  assert.deepEqual(await vendor.signIn('unknown', 'correct'), wrong)
  assert.deepEqual(await failureOf(vendor.signIn('anna', 'down')), { kind: 'unavailable' })
  assert.equal((await failureOf(vendor.signIn('anna', 'robot')))?.kind, 'blocked')
  const outcome = await vendor.signIn(' Anna ')
  assert.ok(outcome.state === 'signed_in')
  assert.equal(outcome.accountId, 'anna')
})

test('a key is tried again, and has ended when the person changed it', async () => {
  const tokens = await vendor.tokensOf('frida')
  assert.equal((await vendor.renew(tokens, 'frida')).accessToken, 'correct')
  await vendor.emulator.revoke('my_fitness_pal', 'frida')
  assert.deepEqual(await failureOf(vendor.pull('diary', tokens, RANGE)), { kind: 'unauthorized' })
  assert.deepEqual(await failureOf(vendor.renew(tokens, 'frida')), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
})
