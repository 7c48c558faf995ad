import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { ArrivedData } from '../../ingest/index.ts'
import type { PullTaskRow, TaskSubject } from '../pull-tasks.global.repository.ts'
import { UnchangedPolls } from './unchanged-polls.ts'

const START = Date.parse('2026-03-01T10:00:00Z')
const SUBJECT = {
  ingestion_start: null,
  ingestion_end: null,
  connection_updated_at: new Date(0),
} as TaskSubject
const taskOf = (succeededAt: number | null, accountId = 'one'): PullTaskRow =>
  ({
    ...{ environment_id: 'e', user_id: 'u', provider: 'oura', collection: 'sleep' },
    account_id: accountId,
    succeeded_at: succeededAt === null ? null : new Date(succeededAt),
  }) as PullTaskRow
const dataOf = (...values: number[]) =>
  ({ samples: values, devices: [{ model: 'ring' }], streams: new Map() }) as unknown as ArrivedData

/** A poll that succeeds; returns whether its data are known. */
function poll(
  polls: UnchangedPolls,
  task: PullTaskRow,
  startedAt: number,
  data: ArrivedData[],
  subject = SUBJECT,
): boolean[] {
  const digest = polls.begin(task, subject, startedAt)
  const known = data.map((piece) => digest.isKnown(piece))
  polls.keep(task, digest, startedAt)
  return known
}

test('a poll that brings the same again is known, and one that brings anything else is not', () => {
  const polls = new UnchangedPolls()
  assert.deepEqual(poll(polls, taskOf(null), START, [dataOf(1, 2)]), [false])
  assert.deepEqual(poll(polls, taskOf(START), START + 1, [dataOf(1, 2)]), [true])
  assert.deepEqual(poll(polls, taskOf(START + 1), START + 2, [dataOf(1, 2)]), [true])
  assert.deepEqual(poll(polls, taskOf(START + 2), START + 3, [dataOf(1, 3)]), [false])
  assert.deepEqual(poll(polls, taskOf(START + 3), START + 4, [dataOf(1, 2)]), [false])
})

test('what another process stored since makes it unknown', () => {
  const polls = new UnchangedPolls()
  poll(polls, taskOf(null), START, [dataOf(1)])
  assert.deepEqual(poll(polls, taskOf(START + 5), START + 10, [dataOf(1)]), [false])
})

test('so does another account, or other bounds', () => {
  const polls = new UnchangedPolls()
  poll(polls, taskOf(null), START, [dataOf(1)])
  assert.deepEqual(poll(polls, taskOf(START, 'two'), START + 1, [dataOf(1)]), [false])
  const bounded = { ...SUBJECT, ingestion_start: '2026-01-01' }
  assert.deepEqual(poll(polls, taskOf(START + 1, 'two'), START + 2, [dataOf(1)], bounded), [false])
})

test('data in several pieces, and after six hours any, are stored', () => {
  const polls = new UnchangedPolls()
  const pieces = [dataOf(1), dataOf(2)]
  poll(polls, taskOf(null), START, pieces)
  assert.deepEqual(poll(polls, taskOf(START), START + 1, pieces), [false, false])
  poll(polls, taskOf(START + 1), START + 2, [dataOf(1)])
  assert.deepEqual(poll(polls, taskOf(START + 2), START + 3, [dataOf(1)]), [true])
  const late = START + 2 + 6 * HOUR_MS
  assert.deepEqual(poll(polls, taskOf(START + 3), late, [dataOf(1)]), [false])
})
