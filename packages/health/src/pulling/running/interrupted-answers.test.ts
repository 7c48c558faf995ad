import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { InterruptedAnswers } from './interrupted-answers.ts'

/** A vendor that answers as often as its budget allows. */
function createVendor() {
  let now = Date.UTC(2026, 0, 1)
  let left = 0
  const asked: string[] = []
  const kept = new InterruptedAnswers({ now: () => new Date(now) })
  /** Pulls a page of a list with three details; returns what it read, or undefined. */
  const attempt = async (task: string, budget: number) => {
    left = budget
    const answers = kept.resume(task)
    const { fetchJson } = answers.through({
      context: NO_CONTEXT,
      async fetchJson(wanted) {
        if (left === 0) throw new Error('spent')
        left -= 1
        const { path } = wanted as { path: string }
        asked.push(path)
        return path === '/none' ? undefined : { path }
      },
    })
    try {
      const read: unknown[] = []
      for (const path of ['/list', '/none', '/a', '/b']) read.push(await fetchJson({ path }))
      return read
    } catch {
      kept.keep(task, answers)
      return undefined
    }
  }
  return { asked, attempt, pass: (ms: number) => (now += ms) }
}

test('a page with more requests than the budget has at once comes to its end', async () => {
  const { asked, attempt } = createVendor()
  assert.equal(await attempt('one', 2), undefined)
  assert.equal(await attempt('one', 2), undefined)
  const read = await attempt('one', 2)
  assert.deepEqual(read, [{ path: '/list' }, undefined, { path: '/a' }, { path: '/b' }])
  // An answer without a body is requested again.
  assert.deepEqual(asked, ['/list', '/none', '/none', '/a', '/none', '/b'])
  // Nothing is kept of what has come to its end.
  assert.equal(await attempt('one', 1), undefined)
  assert.equal(asked.at(-1), '/list')
})

test('answers belong to their task, and are not kept for long', async () => {
  const { asked, attempt, pass } = createVendor()
  await attempt('one', 1)
  await attempt('other', 1)
  assert.deepEqual(asked, ['/list', '/list'])
  pass(HOUR_MS)
  await attempt('one', 1)
  assert.deepEqual(asked, ['/list', '/list', '/list'])
})
