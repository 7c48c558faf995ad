import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { runDifferential } from '../../../test/queries/differential.ts'

let salus: Harness
before(async () => {
  salus = await createHarness()
})
after(() => salus.close())

test('500 random queries are answered as the reference answers them', async () => {
  const outcome = await runDifferential(salus, { queries: 500, seed: 16, queriesAPerson: 125 })
  const shown = outcome.differences.map(({ difference, request, person }) => ({
    difference,
    ...request,
    fallbackZone: person.target.fallbackZone,
  }))
  assert.deepEqual(shown, [])
  // Answers without rows are alike too easily.
  assert.ok(outcome.answered > 125, `${outcome.answered} answers had rows`)
})
