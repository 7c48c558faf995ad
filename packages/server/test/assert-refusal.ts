import assert from 'node:assert/strict'
import type { Answer } from './harness.ts'

/**
 * A 400 that names the user who has the client_user_id (docs/contract/01-conventions.md#errors).
 */
export function assertDuplicate(answer: Answer, existing: Answer): void {
  assert.equal(answer.status, 400)
  const { detail } = answer.body
  assert.deepEqual(Object.keys(detail).sort(), [
    'created_on',
    'error_message',
    'error_type',
    'user_id',
  ])
  assert.equal(detail.error_type, 'INVALID_REQUEST')
  assert.equal(detail.user_id, existing.body.user_id)
  assert.equal(detail.created_on, existing.body.created_on)
}

/** A 422 about exactly one field of the body. */
export function assertRefused(answer: Answer, field: string, type: string): void {
  assert.equal(answer.status, 422, answer.text)
  const found = answer.body.detail.map((problem: { loc: []; type: string }) => [
    problem.loc,
    problem.type,
  ])
  assert.deepEqual(found, [[['body', field], type]])
}

/** An error with a code. */
export function assertRefusal(answer: Answer, status: number, errorType: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.detail.error_type, errorType)
}
