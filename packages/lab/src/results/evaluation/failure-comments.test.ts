import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FailureType } from '@salus/contracts/lab-gateway'
import { inferFailure } from './missing-results.ts'

describe('the reason of a missing result', () => {
  const cases: Record<FailureType, string[]> = {
    quantity_not_sufficient_failure: [
      'QNS',
      'Test not performed. Quantity not sufficient.',
      'Q.N.S. for testing',
      'Insufficient specimen to perform testing',
      'Specimen quantity insufficient',
      'Not enough serum',
    ],
    insufficient_volume: ['Insufficient volume', 'LOW SAMPLE VOLUME'],
    collection_process_failure: [
      'Specimen hemolyzed',
      'Gross hemolysis',
      'Haemolysed',
      'Specimen clotted.',
      'Not centrifuged',
      'Unspun serum separator tube',
      'Wrong tube type received: wrong tube',
      'Unlabeled specimen',
      'Possible contamination with IV fluid',
    ],
    drop_off_failure: [
      'Specimen received outside stability limits',
      'Specimen too old',
      'Sample received thawed',
      'No specimen received',
      'Broken in transit',
    ],
    internal_lab_failure: [
      'Laboratory accident',
      'Lab error',
      'Instrument failure',
      'Technical problem, please resubmit',
      'Result not reportable',
      'Reagent shortage',
    ],
    order_entry_failure: ['Test ordered in error', 'Invalid test code', 'Test not on requisition'],
    non_failure: [
      'Duplicate order',
      'DUPLICATE REQUEST',
      'Canceled per client',
      'Already reported',
    ],
    patient_condition_failure: [
      'Specimen grossly lipemic',
      'Icteric specimen',
      'Heterophile antibody interference',
      'Patient not fasting',
    ],
    missing_result_calc_failure: [
      'Unable to calculate',
      'LDL cannot be calculated: triglycerides > 400 mg/dL',
      'Calculation not valid',
      'Not calculated',
    ],
    missing_demo_aoe_calc_failure: [
      'eGFR not calculated: age not provided',
      'Sex is required for this calculation',
      'Unable to calculate, date of birth missing',
    ],
    unknown_failure: ['Test not performed', 'TNP', '', 'See separate report'],
  }
  for (const [type, comments] of Object.entries(cases)) {
    test(`"${comments.join('", "')}" is ${type}`, () => {
      for (const comment of comments) assert.equal(inferFailure(comment), type, comment)
    })
  }

  test('is unknown without a comment', () => {
    assert.equal(inferFailure(null), 'unknown_failure')
  })

  test('is found in a long comment at once', () => {
    const long = `${'patient not calculated triglycerides unable '.repeat(5_000)}`
    const start = performance.now()
    inferFailure(long)
    assert.ok(performance.now() - start < 1_000)
  })
})
