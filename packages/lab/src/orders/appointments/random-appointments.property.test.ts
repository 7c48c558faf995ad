import { test } from 'node:test'
import { APPOINTMENT_PROVIDERS } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { createOrdersFixture } from '../../../../server/test/orders/orders-fixture.ts'
import {
  act,
  anyDeeds,
  beginPair,
  checkPair,
} from '../../../../server/test/orders/random-appointments.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createOrdersFixture)

for (const provider of APPOINTMENT_PROVIDERS) {
  test(`an order and its appointment at ${provider} agree after updates in any order`, async () => {
    await fc.assert(
      fc.asyncProperty(anyDeeds, async (deeds) => {
        const pair = await beginPair(fixture, provider)
        for (const deed of deeds) {
          await act(fixture, pair, deed)
          await checkPair(fixture, pair)
        }
      }),
      { seed: 20_261_122, numRuns: campaignRuns(8, 40) },
    )
  })
}
