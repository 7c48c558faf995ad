import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OfferedSlot } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import {
  createSchedulingFixture,
  NOW,
  offeredSlots,
  siteOf,
  visitOf,
} from '../../../../server/test/scheduling/scheduling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createSchedulingFixture)

const PEOPLE = 6
const SLOTS = 3

/** A call to the provider. */
type Call =
  | { kind: 'book' | 'reschedule'; who: number; slot: number }
  | { kind: 'cancel'; who: number }

/** Slot by person; null for a cancelled booking. */
type Model = readonly (number | null | undefined)[]
type Outcome = 'booked' | 'slot_unavailable' | 'refused' | 'cancelled'

/** Returns the model after one call, as sequential calls must behave. */
function apply(model: Model, call: Call, capacities: readonly number[]): [Model, Outcome] {
  const { who } = call
  if (call.kind === 'cancel') return [model.with(who, null), 'cancelled']
  if (model[who] === null) return [model, 'refused']
  if (model[who] === call.slot) return [model, 'booked']
  const taken = model.filter((slot) => slot === call.slot).length
  if (taken >= (capacities[call.slot] as number)) return [model, 'slot_unavailable']
  return [model.with(who, call.slot), 'booked']
}

/** Returns all states that concurrent calls may lead to, in any order of execution. */
function listEndings(
  model: Model,
  calls: readonly Call[],
  capacities: readonly number[],
): Set<string> {
  const endings = new Set<string>()
  const visit = (state: Model, outcomes: readonly (Outcome | undefined)[]): void => {
    if (!outcomes.includes(undefined)) endings.add(describeEnding(outcomes, state))
    for (const [index, call] of calls.entries()) {
      if (outcomes[index] !== undefined) continue
      const [next, outcome] = apply(state, call, capacities)
      visit(next, outcomes.with(index, outcome))
    }
  }
  visit(
    model,
    calls.map(() => undefined),
  )
  return endings
}

const describeEnding = (outcomes: readonly unknown[], model: Model): string =>
  JSON.stringify([outcomes, model.map((slot) => slot ?? null)])

const anyWho = fc.nat(PEOPLE - 1)
const anyCall: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('book' as const),
      who: anyWho,
      slot: fc.nat(SLOTS - 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reschedule' as const),
      who: anyWho,
      slot: fc.nat(SLOTS - 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), who: anyWho }) },
)
/** Calls of one batch run concurrently; batches run in sequence. */
const anyBatches = fc.array(fc.array(anyCall, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
})

test('concurrent calls have the outcome of some sequence of the calls', async () => {
  await fc.assert(
    fc.asyncProperty(anyBatches, async (batches) => {
      const site = siteOf(randomUUID())
      const { environmentId } = salus
      const list = () => offeredSlots(salus.gateway('quest'), { environmentId, place: site })
      const slots = (await list()).slice(0, SLOTS)
      const capacities = slots.map(({ available }) => available)
      const visits = Array.from({ length: PEOPLE }, () => visitOf(salus, { place: site }))
      const send = async (call: Call, process: number): Promise<Outcome> => {
        const gateway = salus.gateway('quest', process)
        const visit = visits[call.who] as (typeof visits)[number]
        if (call.kind === 'cancel') {
          await gateway.cancel(visit)
          return 'cancelled'
        }
        const { state } = await gateway[call.kind](visit, slots[call.slot] as OfferedSlot, NOW)
        return state
      }
      let model: Model = visits.map(() => undefined)
      for (const calls of batches) {
        const outcomes = await Promise.all(calls.map(send))
        const endings = listEndings(model, calls, capacities)
        model = await readModel(visits, slots, model, calls)
        assert.ok(endings.has(describeEnding(outcomes, model)), describeEnding(outcomes, model))
        const left = (await list()).slice(0, SLOTS).map(({ available }) => available)
        const expected = capacities.map(
          (capacity, index) => capacity - model.filter((slot) => slot === index).length,
        )
        assert.deepEqual(left, expected)
      }
    }),
    { seed: 20_261_122, numRuns: campaignRuns(40, 3000) },
  )
})

/** Returns the slot of each person in the store. */
function readModel(
  visits: { environmentId: string; appointmentId: string }[],
  slots: readonly OfferedSlot[],
  before: Model,
  calls: readonly Call[],
): Promise<(number | null | undefined)[]> {
  return Promise.all(
    visits.map(async (visit, who) => {
      const seat = await salus.store.findSeat(visit)
      if (seat !== undefined) return slots.findIndex(({ start }) => +start === +seat.start)
      const isCancelled =
        before[who] === null || calls.some((call) => call.kind === 'cancel' && call.who === who)
      return isCancelled ? null : undefined
    }),
  )
}

test('one of a hundred concurrent bookings gets the last seat', async () => {
  const { environmentId } = salus
  const site = siteOf(randomUUID())
  const gateway = salus.gateway('quest')
  const [slot] = await offeredSlots(gateway, { environmentId, place: site })
  assert.ok(slot)
  for (let taken = 1; taken < slot.available; taken++) {
    assert.equal((await gateway.book(visitOf(salus, { place: site }), slot, NOW)).state, 'booked')
  }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      salus.gateway('quest', index).book(visitOf(salus, { place: site }), slot, NOW),
    ),
  )
  const counts = Object.groupBy(answers, ({ state }) => state)
  assert.equal(counts.booked?.length, 1)
  assert.equal(counts.slot_unavailable?.length, 99)
  assert.equal((await offeredSlots(gateway, { environmentId, place: site }))[0]?.available, 0)
})

test('the same booking sent a hundred times takes one seat', async () => {
  const visit = visitOf(salus)
  const gateway = salus.gateway('quest')
  const [slot] = await offeredSlots(gateway, visit)
  assert.ok(slot)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => salus.gateway('quest', index).book(visit, slot, NOW)),
  )
  assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
  assert.equal(answers[0]?.state, 'booked')
  assert.equal((await offeredSlots(gateway, visit))[0]?.available, slot.available - 1)
})

test('concurrent exchanges of slots do not deadlock', async () => {
  const site = siteOf(randomUUID())
  const gateway = salus.gateway('quest')
  const slots = (await offeredSlots(gateway, { environmentId: salus.environmentId, place: site }))
    .filter(({ available }) => available > 1)
    .slice(0, 2)
  const people = [0, 1].map((slot) => ({ slot, visit: visitOf(salus, { place: site }) }))
  for (const { slot, visit } of people) {
    await gateway.book(visit, slots[slot] as OfferedSlot, NOW)
  }
  for (let round = 0; round < campaignRuns(40, 1000); round++) {
    const answers = await Promise.all(
      people.map(({ slot, visit }, process) => {
        const other = slots[(slot + round + 1) % 2] as OfferedSlot
        return salus.gateway('quest', process).reschedule(visit, other, NOW)
      }),
    )
    assert.deepEqual(
      answers.map(({ state }) => state),
      ['booked', 'booked'],
    )
  }
})
