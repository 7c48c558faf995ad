import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  changesOfTeam,
  type Entry,
  moveEntry,
  OTHERS,
  orderOfPerson,
  orderOfTeam,
  rulesOfPerson,
  type TeamRule,
  undoTeamChanges,
} from '../src/console/priorities/priority-order.ts'

const source = (provider: string, type: string | null = null, app: string | null = null) => ({
  ...{ provider, type, app },
})
const SLEEP = { data_type: 'sleep', resource: null } as const
const rule = (slug: string, priority: number, rest: object = {}) =>
  ({ ...SLEEP, slug, priority, source_type: null, ...rest }) as TeamRule

/** What a team has after changes. */
const apply = (rules: readonly TeamRule[], changes: ReturnType<typeof changesOfTeam>) =>
  [
    ...new Map(
      [...rules, ...changes.map(({ slug, priority }) => rule(slug, priority))].map((one) => [
        `${one.slug} ${one.data_type}`,
        one,
      ]),
    ).values(),
  ] as TeamRule[]

describe('the order of a team', () => {
  const rules = [
    rule('oura', 5),
    rule('fitbit', -1),
    rule('garmin', 9),
    rule('polar', 0),
    rule('whoop_v2', 3, { data_type: 'workouts' }),
  ]

  test('has what is before and what is after all others', () => {
    const order = [source('garmin'), source('oura'), OTHERS, source('fitbit')]
    assert.deepEqual(orderOfTeam(rules, SLEEP), order)
  })

  test('is what it was after a save, and again after its undoing', () => {
    const before = orderOfTeam(rules, SLEEP)
    const wanted: Entry[] = [source('polar'), source('oura'), OTHERS, source('garmin')]
    const changes = changesOfTeam(rules, SLEEP, wanted)
    const saved = apply(rules, changes)
    assert.deepEqual(orderOfTeam(saved, SLEEP), wanted)
    assert.deepEqual(changesOfTeam(saved, SLEEP, wanted), [])
    // Fitbit left the order, and has no priority any more.
    assert.equal(saved.find(({ slug }) => slug === 'fitbit')?.priority, 0)
    assert.deepEqual(orderOfTeam(apply(saved, undoTeamChanges(rules, changes)), SLEEP), before)
  })

  test('moves an entry by one place, and never past the ends', () => {
    const order = [source('a'), source('b'), OTHERS] as Entry[]
    assert.deepEqual(moveEntry(order, 0, 1), [source('b'), source('a'), OTHERS])
    assert.deepEqual(moveEntry(order, 0, -1), order)
    assert.deepEqual(moveEntry(order, 2, 3), order)
  })
})

describe('the order of a person', () => {
  const ranked = [source('oura', 'ring', 'x'), source('fitbit', 'watch', 'y')]

  test('begins as the sources of the day are ranked, with apps only where they are needed', () => {
    assert.deepEqual(orderOfPerson([], 'steps', ranked), [
      source('oura', 'ring'),
      source('fitbit', 'watch'),
      OTHERS,
    ])
    const two = [source('apple_health_kit', 'phone', 'a'), source('apple_health_kit', 'phone', 'b')]
    assert.deepEqual(orderOfPerson([], 'steps', two), [...two, OTHERS])
  })

  test('keeps rules of other data and sources without data on the day', () => {
    const rules = [
      { resource: 'hrv' as const, provider: 'polar', priority: 4 },
      { resource: 'steps' as const, provider: 'garmin', priority: 2 },
      { resource: 'steps' as const, provider: 'fitbit', priority: -1 },
    ]
    const order = orderOfPerson(rules, 'steps', ranked)
    assert.deepEqual(order, [
      source('garmin'),
      source('oura', 'ring'),
      OTHERS,
      source('fitbit', 'watch'),
    ])
    const [kept, ...made] = rulesOfPerson(rules, 'steps', order)
    assert.deepEqual(kept, rules[0])
    assert.deepEqual(
      made.map(({ provider, priority }) => [provider, priority]),
      [
        ['garmin', 2],
        ['oura', 1],
        ['fitbit', -1],
      ],
    )
    assert.deepEqual(rulesOfPerson(rules, 'steps', undefined), [rules[0]])
  })
})
