import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createOrdersWorld, type OrdersWorld } from '../testing/orders-world.ts'
import { begin, check, life, live } from '../testing/random-life.ts'

let world: OrdersWorld

before(async () => {
  world = await createOrdersWorld()
})
after(() => world?.close())

test('whatever happens to an order, its state is that of its events', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (wish) => {
      const living = await begin(world, wish)
      await check(world, living)
      for (const step of wish.steps) {
        await live(world, living, step)
        await check(world, living)
      }
    }),
    { seed: 20_261_121, numRuns: 40 },
  )
})
