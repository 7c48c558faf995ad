import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { runDifferential } from '../../../server/test/queries/differential.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

test('random queries are answered as the reference answers them', async ({ signal }) => {
  const outcome = await runDifferential(salus, {
    queries: campaignRuns(80, 4000),
    seed: 16,
    queriesAPerson: campaignRuns(20, 200),
    signal,
  })
  const shown = outcome.differences.map(({ difference, seed, query, request, person }) => ({
    difference,
    seed,
    query,
    ...request,
    fallbackZone: person.target.fallbackZone,
  }))
  assert.deepEqual(shown, [])
  // Equal empty answers prove little.
  const share = outcome.answered / outcome.queries
  assert.ok(share > 0.25, `${outcome.answered} of ${outcome.queries} answers had rows`)
})
