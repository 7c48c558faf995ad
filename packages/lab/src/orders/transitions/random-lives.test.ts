import { test } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import { begin, check, life, live } from '../../../../server/test/orders/random-life.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

test('the state of an order always equals that of its events', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (wish) => {
      const living = await begin(fixture, wish)
      await check(fixture, living)
      for (const step of wish.steps) {
        await live(fixture, living, step)
        await check(fixture, living)
      }
    }),
    { seed: 20_261_121, numRuns: campaignRuns(12, 80) },
  )
})
