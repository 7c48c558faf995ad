import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const read = (username: string, key: string, from = '2026-02-20', to = '2026-02-28') =>
  vendors.call(
    'POST',
    `my_fitness_pal/web/api/services/authenticate_diary_key?username=${username}`,
    {
      json: { username, key, from, to, show_food_diary: 1 },
    },
  )

test('a diary opens with its key, whatever the case of the name', async () => {
  const { body } = await read('Mia', 'correct')
  const span = { from: vendors.now.getTime() - 9 * DAY_MS, to: vendors.now.getTime() }
  const { diary = [] } = vendors.emulator.truthOf('my_fitness_pal', 'mia', span)
  const days = diary as { date: string; food_entries: unknown[] }[]
  assert.deepEqual(
    body,
    days.filter(({ date }) => date >= '2026-02-20' && date <= '2026-02-28'),
  )
  const entries = body.flatMap((day: (typeof days)[number]) => day.food_entries)
  assert.ok(entries.length > 20)
})

test('wrong keys, names and ranges are refused, and checks for bots are pages', async () => {
  assert.equal((await read('mia', 'wrong')).status, 403)
  const sentence = await read('mia', 'expired')
  assert.deepEqual([sentence.status, sentence.text], [200, 'The diary key is not correct.'])
  assert.equal((await read('unknown', 'correct')).status, 404)
  assert.equal((await read('mia', 'down')).status, 503)
  assert.equal((await read('mia', 'correct', '2026-01-01', '2026-02-01')).status, 400)
  const robot = await read('mia', 'robot')
  assert.equal(robot.status, 403)
  assert.match(String(robot.headers['content-type']), /text.html/)
  await vendors.emulator.revoke('my_fitness_pal', 'mia')
  assert.equal((await read('mia', 'correct')).status, 403)
})
