import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RequisitionResult } from '@salus/contracts/lab-gateway'
import { INTERPRETATIONS, type ReportedResult } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { anyAdult, anyone, anyPanels, numbersOf, positionOf, reportOf } from '../../test/reports.ts'
import { BLOOD_COUNT, HORMONES, IRON, LIPIDS, METABOLIC } from '../../test/requisitions.ts'

const NUMERIC = ['numeric'] as const

const flags = (results: readonly ReportedResult[]) => results.map(({ flag }) => flag)

describe('a normal report', () => {
  test('has every numeric value inside the interval of sex and age', () => {
    fc.assert(
      fc.property(anyPanels, anyone, (panels, person) => {
        for (const result of reportOf(panels, { ...person, resultTypes: NUMERIC }).results) {
          assert.equal(positionOf(result), 'inside', JSON.stringify(result))
          assert.equal(result.flag, 'N', JSON.stringify(result))
        }
      }),
      { numRuns: 300, seed: 11 },
    )
  })

  test('has one result for every expected result, in their order', () => {
    fc.assert(
      fc.property(anyPanels, anyone, (panels, person) => {
        const names = panels.flat().map(({ name }) => name)
        assert.deepEqual(
          reportOf(panels, person).results.map(({ name }) => name),
          names,
        )
      }),
      { numRuns: 50, seed: 12 },
    )
  })

  test('is the same for the same order, and another for another', () => {
    fc.assert(
      fc.property(anyPanels, anyone, (panels, person) => {
        assert.deepEqual(reportOf(panels, person), reportOf(panels, person))
      }),
      { numRuns: 50, seed: 13 },
    )
    const one = reportOf([METABOLIC], { orderId: 'a' }).results
    assert.notDeepEqual(reportOf([METABOLIC], { orderId: 'b' }).results, one)
  })

  test('reports once what two tests both expect', () => {
    const [glucose] = METABOLIC as [RequisitionResult]
    const names = reportOf([METABOLIC, [glucose]]).results.map(({ name }) => name)
    assert.equal(names.filter((name) => name === 'Glucose').length, 1)
  })

  test('gives specimens of one day that share a code values of their own', () => {
    const saliva = ['waking', 'noon', 'bedtime'].map((time) => ({
      name: `Cortisol, ${time}`,
      provider_id: null,
      loinc: '2142-8',
      unit: 'ug/dL',
      required: true,
    }))
    const { results } = reportOf([saliva], { resultTypes: NUMERIC })
    assert.ok(new Set(results.map(({ result }) => result)).size > 1)
  })
})

describe('values fit each other', () => {
  const report = (panels: RequisitionResult[][], person: object) =>
    numbersOf(reportOf(panels, { ...person, resultTypes: NUMERIC }))
  const near = (actual: number, wanted: number, tolerance: number) =>
    assert.ok(Math.abs(actual - wanted) <= tolerance, `${actual} is not near ${wanted}`)
  const forAdults = (check: (of: (loinc: string) => number) => void, panel: RequisitionResult[]) =>
    fc.assert(
      fc.property(anyAdult, (person) => check(report([panel], person))),
      { numRuns: 200, seed: 21 },
    )

  test('LDL is by Friedewald, and HDL is a part of all cholesterol', () => {
    forAdults((of) => {
      near(of('13457-7'), of('2093-3') - of('2085-9') - of('2571-8') / 5, 0.51)
      near(of('13458-5'), of('2571-8') / 5, 0.51)
      assert.equal(of('43396-1'), of('2093-3') - of('2085-9'))
      near(of('9830-1'), of('2093-3') / of('2085-9'), 0.051)
      assert.ok(of('2085-9') < of('2093-3'))
    }, LIPIDS)
  })

  test('red cell indices follow from hemoglobin, hematocrit and red cells', () => {
    forAdults((of) => {
      near(of('4544-3'), 3 * of('718-7'), 4)
      near(of('787-2'), (of('4544-3') / of('789-8')) * 10, 0.06)
      near(of('785-6'), (of('718-7') / of('789-8')) * 10, 0.06)
      near(of('786-4'), (of('718-7') / of('4544-3')) * 100, 0.06)
    }, BLOOD_COUNT)
  })

  test('shares of white cells sum to 100 and give their counts', () => {
    const shares = ['770-8', '736-9', '5905-5', '713-8', '706-2', '71695-1']
    const counts = ['751-8', '731-0', '742-7', '711-2', '704-7']
    forAdults((of) => {
      near(
        shares.reduce((sum, share) => sum + of(share), 0),
        100,
        1e-9,
      )
      for (const [index, count] of counts.entries()) {
        near(of(count), (of('6690-2') * of(shares[index] ?? '')) / 100, 0.0051)
      }
    }, BLOOD_COUNT)
  })

  test('globulin, ratios and the anion gap follow from what they are made of', () => {
    forAdults((of) => {
      near(of('10834-0'), of('2885-2') - of('1751-7'), 1e-9)
      near(of('1759-0'), of('1751-7') / of('10834-0'), 0.051)
      near(of('3097-3'), of('3094-0') / of('2160-0'), 0.51)
      near(of('33037-3'), of('2951-2') - of('2075-0') - of('2028-9'), 1e-9)
    }, METABOLIC)
  })

  test('iron saturation and free testosterone follow from theirs', () => {
    forAdults((of) => {
      near(of('2502-3'), (100 * of('2498-4')) / of('2500-7'), 0.51)
      assert.equal(of('2501-5'), of('2500-7') - of('2498-4'))
    }, IRON)
    forAdults(
      (of) => near(of('2991-8'), (of('2986-8') * 10 * of('15432-8')) / 100, 0.051),
      HORMONES,
    )
  })

  test('the filtration rate is that of CKD-EPI 2021', () => {
    const woman = { gender: 'female', dob: '1985-03-01', resultTypes: NUMERIC }
    const of = numbersOf(reportOf([METABOLIC], woman))
    const age = (Date.parse('2026-01-05T16:00:00Z') - Date.parse('1985-03-01')) / 31_556_952_000
    const ratio = of('2160-0') / 0.7
    const expected =
      142 * Math.min(ratio, 1) ** -0.241 * Math.max(ratio, 1) ** -1.2 * 0.9938 ** age * 1.012
    near(of('98979-8'), expected, 0.51)
  })

  test('nothing is negative in 200 reports of any kind', () => {
    fc.assert(
      fc.property(
        anyPanels,
        anyone,
        fc.constantFrom(...INTERPRETATIONS),
        (panels, person, wanted) => {
          const { results } = reportOf(panels, { ...person, interpretation: wanted })
          for (const { type, result } of results) {
            assert.ok(!result.startsWith('-') && !/NaN|Infinity|undefined/.test(result), result)
            if (type === 'numeric') assert.ok(Number(result) >= 0)
          }
        },
      ),
      { numRuns: 200, seed: 22 },
    )
  })
})

describe('an abnormal or critical report', () => {
  const beyond = fc.constantFrom('abnormal', 'critical')

  test('has its first result out of range, flagged as severe as requested', () => {
    fc.assert(
      fc.property(anyPanels, anyone, beyond, (panels, person, interpretation) => {
        const { results } = reportOf(panels, { ...person, interpretation, resultTypes: NUMERIC })
        const [first] = results as [ReportedResult]
        assert.notEqual(positionOf(first), 'inside', JSON.stringify(first))
        const wanted = interpretation === 'critical' ? /^(HH|LL|AA)$/ : /^[HLA]$/
        assert.match(first.flag ?? '', wanted)
        if (interpretation === 'abnormal') {
          assert.ok(flags(results).every((flag) => (flag?.length ?? 0) < 2))
        }
      }),
      { numRuns: 300, seed: 31 },
    )
  })

  test('has every quantity first once, and changes only what is made from the same', () => {
    for (const [index, expected] of BLOOD_COUNT.entries()) {
      const panel = [expected, ...BLOOD_COUNT.filter((_, other) => other !== index)]
      const { results } = reportOf([panel, METABOLIC], { interpretation: 'abnormal' })
      const metabolic = reportOf([METABOLIC]).results.map(({ name }) => name)
      const ofMetabolic = results.filter(({ name }) => metabolic.includes(name))
      assert.ok(flags(ofMetabolic).every((flag) => flag === 'N'))
    }
  })

  test('goes beyond the limit at which laboratories call', () => {
    const [, , , , , , potassium] = METABOLIC as RequisitionResult[]
    for (let order = 0; order < 50; order += 1) {
      const wish = { orderId: `${order}`, interpretation: 'critical' } as const
      const value = numbersOf(reportOf([[potassium as RequisitionResult]], wish))('2823-3')
      assert.ok(value < 2.5 || value > 6.5, `${value}`)
    }
  })

  test('keeps the kidneys consistent when the filtration rate is first', () => {
    const panel = [
      METABOLIC[3],
      ...METABOLIC.filter((_, index) => index !== 3),
    ] as RequisitionResult[]
    const wish = { interpretation: 'critical', resultTypes: NUMERIC } as const
    const of = numbersOf(reportOf([panel], wish))
    assert.ok(of('98979-8') < 15)
    assert.ok(of('2160-0') > 3)
  })

  test('flags the first result also where none can be good or bad', () => {
    const group = {
      name: 'ABO group',
      provider_id: null,
      loinc: '883-9',
      unit: null,
      required: true,
    }
    const fraction = { ...group, name: 'PSA, free', loinc: '10886-0', unit: 'ng/mL' }
    for (const result of [group, fraction]) {
      const [first] = reportOf([[result]], { interpretation: 'critical' }).results
      assert.equal(first?.flag, 'AA')
      assert.equal(reportOf([[result]]).results[0]?.flag, null)
    }
  })

  test('has no calculated LDL when triglycerides are too high for it', () => {
    const panel = [LIPIDS[1], LIPIDS[0], ...LIPIDS.slice(2)] as RequisitionResult[]
    const { results } = reportOf([panel], { interpretation: 'critical' })
    const ldl = results.find(({ loinc }) => loinc === '13457-7')
    assert.deepEqual([ldl?.type, ldl?.result, ldl?.flag], ['comment', 'Not calculated', null])
  })
})
