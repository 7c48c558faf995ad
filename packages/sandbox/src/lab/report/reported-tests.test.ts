import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { reportOf } from '../../../test/reports.ts'
import { IRON, LIPIDS, makeRequisition } from '../../../test/requisitions.ts'
import { reportByTest } from './reported-tests.ts'

const REQUISITION = makeRequisition([LIPIDS, IRON])
const statusesOf = ({ tests }: ResultMessage) =>
  Object.values(tests ?? {}).map(({ status }) => status)
const byTest = (report: ResultMessage, previous?: ResultMessage) =>
  reportByTest(report, REQUISITION, previous)

test('a final report has each result under its test, with a number of the laboratory', () => {
  const report = byTest(reportOf([LIPIDS, IRON]))
  assert.deepEqual(statusesOf(report), ['final', 'final'])
  const numbers = Object.values(report.tests ?? {}).map(({ filler_number: number }) => number)
  assert.equal(new Set(numbers).size, 2)
  assert.ok(report.results.every(({ test: key = '' }) => key in (report.tests ?? {})))
  assert.equal(report.scope, undefined)
})

test('a partial report is a part with what the one before lacks, and a test stays open', () => {
  const first = reportOf([LIPIDS, IRON], { status: 'partial' })
  const second = reportOf([LIPIDS, IRON], { status: 'partial', previous: first })
  const parts = [byTest(first), byTest(second, first)]
  for (const part of parts) {
    assert.equal(part.scope, 'part')
    assert.ok(statusesOf(part).some((status) => status === 'pending' || status === 'preliminary'))
  }
  const names = parts.flatMap(({ results }) => results.map(({ name }) => name))
  assert.equal(new Set(names).size, names.length)
  assert.equal(names.length, second.results.length)
})

test('a partial report of a single result keeps its test open', () => {
  const requisition = makeRequisition([IRON.slice(0, 1)])
  const report = reportOf([IRON.slice(0, 1)], { status: 'partial' })
  assert.deepEqual(statusesOf(reportByTest(report, requisition, undefined)), ['preliminary'])
})

test('a correction marks the changed results and their tests', () => {
  const previous = reportOf([LIPIDS, IRON])
  const report = byTest(reportOf([LIPIDS, IRON], { status: 'corrected', previous }), previous)
  const changed = report.results.filter(({ status }) => status === 'corrected')
  assert.ok(changed.length > 0 && changed.length < report.results.length)
  const tests = new Set(changed.map(({ test: key = '' }) => report.tests?.[key]?.status))
  assert.deepEqual([...tests], ['corrected'])
})

test('a test without any value is cancelled', () => {
  const only = [IRON.slice(0, 1)]
  const report = reportOf(only, { hasMissingResults: true })
  assert.deepEqual(statusesOf(reportByTest(report, makeRequisition(only), undefined)), [
    'cancelled',
  ])
})
