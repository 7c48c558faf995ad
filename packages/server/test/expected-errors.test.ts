import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@salus/kernel/log'
import { ExpectedErrors } from './expected-errors.ts'

test('expected errors are not printed, others are and fail, and one that does not come is named', (t) => {
  const errors = new ExpectedErrors()
  const log = createLogger('error', errors)
  const printed: string[] = []
  t.mock.method(process.stdout, 'write', (line: string) => printed.push(JSON.parse(line).msg))
  errors.expect('request failed', '(parse_lab_report,')
  errors.allow('the session ended')
  log.error('request failed')
  log.error('something else')
  log.error('request failed')
  assert.throws(() => errors.check(), /no test expected:\n.*"something else"}$/)
  assert.throws(() => errors.check(), /not logged: \(parse_lab_report,$/)
  log.error({ queue: 'Failed task 3 (parse_lab_report, 4 ms)' }, 'job queue')
  errors.check()
  t.mock.restoreAll()
  assert.deepEqual(printed, ['something else'])
})
