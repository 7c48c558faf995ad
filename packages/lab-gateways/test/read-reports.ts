import assert from 'node:assert/strict'
import type { OrderUpdate, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import { readMessages } from '../src/hl7/results/read-messages.ts'
import { rulesOf } from './connections.ts'
import { HEADER_251, message, PATIENT } from './report-messages.ts'

const LOI = rulesOf('loi-lri-2.5.1')
export const LEGACY = rulesOf('hl7-2.3-legacy')
export const PER_TEST = rulesOf('loi-lri-2.5.1', { numbers: { placer: { per: 'test' } } })

export type Report = Extract<OrderUpdate, { kind: 'report' }>

export function reportsOf(content: Buffer, rules = LOI): Report[] {
  return readMessages(rules, content).map((update) => {
    assert.equal(update.kind, 'report')
    return update as Report
  })
}

export function reportOf(content: Buffer, rules = LOI): ResultMessage {
  const [update, ...others] = reportsOf(content, rules)
  assert.equal(others.length, 0)
  return (update as Report).report
}

export const brief = ({ name, result, status, test, sub_id }: ReportedResult) => [
  ...[name, result, status, test],
  ...(sub_id === undefined ? [] : [sub_id]),
]
export const names = (list: readonly { name: string }[] = []) => list.map(({ name }) => name)

/** A message of 2.5.1 with one test and these observations. */
export const withObservations = (...segments: string[]) =>
  message(
    HEADER_251,
    PATIENT,
    'ORC|RE|SA00000050^SALUS|FL-50^ACME',
    'OBR|1|SA00000050^SALUS|FL-50^ACME|500^Panel^L|||||||||||||||||||||F',
    ...segments,
  )
export const typeAndText = (type: string, value: string, more = '||||||F') => {
  const [result] = reportOf(
    withObservations(`OBX|1|${type}|501^Analyte^L||${value}${more}`),
  ).results
  return result && [result.type, result.result]
}
