import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import {
  type OrderAtLaboratory,
  type RehearsedLaboratory,
  rowsOf,
  shownRows,
  startRehearsal,
} from './rehearsed-laboratory.ts'

/** The laboratory that developers run, against what the simulator makes of the same orders. */

const PROFILES = ['hl7-2.3-legacy', 'hl7-2.3.1-legacy', 'loi-lri-2.5.1', 'fhir-r4'] as const

for (const profile of PROFILES) {
  describe(`the laboratory of a sandbox with ${profile}`, () => {
    let lab: RehearsedLaboratory
    const isFhir = profile === 'fhir-r4'
    before(async () => {
      lab = await startRehearsal(profile)
      // The queue says so of an order that it sends again.
      lab.wired.harness.errors.expect('Failed task')
    })
    after(() => lab?.close())

    const run = (order: OrderAtLaboratory, ...steps: Parameters<typeof lab.laboratory.run>[1]) =>
      lab.laboratory.run(order.number, steps)

    describe('the life of an order', () => {
      let order: OrderAtLaboratory
      let final: ResultMessage
      let reportedAt: Date
      before(async () => {
        order = await lab.order('accept')
        final = await lab.simulate(order)
      })

      test('begins with some of the simulator’s results, as preliminary ones', async () => {
        assert.equal(await run(order, 'preliminary'), true)
        await lab.wired.waitForStatus(order.id, 'sample_with_lab.walk_in_test.partial_results')
        const partial = await lab.simulate(order, { status: 'partial' })
        const { results } = await lab.waitForResults(
          order.id,
          ({ results }) => results.length === partial.results.length,
        )
        assert.deepEqual(shownRows({ results } as never), rowsOf(partial.results))
        assert.ok(results.length < final.results.length)
        assert.ok(results.some(({ status }) => status === 'preliminary'))
      })

      test('has values, units, ranges and flags of the simulator when it is complete', async () => {
        await run(order, 'final')
        await lab.wired.waitForStatus(order.id, 'completed.walk_in_test.completed')
        const body = await lab.waitForResults(order.id, () => true)
        assert.deepEqual(shownRows(body), rowsOf(final.results))
        assert.ok(body.results.every(({ status }) => status === 'final'))
        reportedAt = new Date(body.metadata.date_reported)
      })

      test('has the correction of the simulator', async () => {
        await run(order, 'corrected')
        await lab.wired.waitForStatus(order.id, 'completed.walk_in_test.corrected')
        const body = await lab.waitForResults(order.id, () => true)
        const previous = await lab.simulate(order, { reportedAt })
        const expected = await lab.simulate(order, { status: 'corrected', previous })
        assert.deepEqual(shownRows(body), rowsOf(expected.results))
        assert.notDeepEqual(rowsOf(expected.results), rowsOf(final.results))
        assert.equal(body.results.filter(({ status }) => status === 'corrected').length, 1)
      })
    })

    test('a result that is out of range leads to a reflex test', async () => {
      const order = await lab.order('reflex')
      const { results } = await lab.waitForResults(order.id, ({ results }) =>
        results.some(({ name }) => / repeated$/.test(name)),
      )
      const [repeated, ...others] = results.filter(({ name }) => / repeated$/.test(name))
      assert.deepEqual(others, [])
      const cause = results.find(({ name }) => `${name}, repeated` === repeated.name)
      assert.equal(cause.interpretation, 'abnormal')
      assert.deepEqual([repeated.loinc, repeated.unit], [cause.loinc, cause.unit])
      // A FHIR report does not name the result that led to it.
      if (!isFhir)
        assert.deepEqual([repeated.panel.origin, repeated.parent.name], ['reflex', cause.name])
      const expected = await lab.simulate(order, { interpretation: 'abnormal' })
      const ordered = results.filter((each) => each !== repeated)
      assert.deepEqual(shownRows({ results: ordered } as never), rowsOf(expected.results))
    })

    test('a culture has the susceptibilities of its isolates', async () => {
      const order = await lab.order('microbiology')
      const { results } = await lab.waitForResults(order.id, ({ results }) =>
        results.some(({ name }) => name === 'Ciprofloxacin'),
      )
      const found = results
        .filter(({ sub_id }) => sub_id !== null)
        .map(({ sub_id, name, result }) => `${sub_id} ${name} ${result}`)
      assert.deepEqual(found.toSorted(), [
        '1 Ampicillin >=32',
        '1 Bacteria identified Escherichia coli',
        '1 Ciprofloxacin <=0.25',
        '1 Nitrofurantoin <=16',
        '2 Ampicillin 16',
        '2 Bacteria identified Klebsiella oxytoca',
        '2 Ciprofloxacin 1',
      ])
    })

    test('a PDF inside of the message is the document of the results', async () => {
      const order = await lab.order('document')
      await lab.wired.waitForStatus(order.id, 'completed.walk_in_test.completed')
      const { status, bytes } = await lab.wired.call('GET', `/v3/order/${order.id}/result/pdf`)
      assert.equal(status, 200)
      // A report of FHIR has one test, so Salus writes a document of all of them.
      const form = isFhir ? /^%PDF-/ : /^%PDF-1\.4[\s\S]*\(Quest\) Tj[\s\S]*%%EOF\n$/
      assert.match(bytes.toString('latin1'), form)
    })

    test('a quantity that was not sufficient is the reason of missing results', async () => {
      const order = await lab.order('qns')
      const expected = await lab.simulate(order, { hasMissingResults: true })
      const { missing_results: missing, results } = await lab.waitForResults(
        order.id,
        (body) => body.missing_results.length === expected.missing_results.length,
      )
      assert.deepEqual(shownRows({ results } as never), rowsOf(expected.results))
      assert.deepEqual(
        missing.map(({ provider_id: code }) => code).toSorted(),
        expected.missing_results.map(({ provider_id: code }) => code).toSorted(),
      )
      const reasons = new Set(missing.map((each) => each.inferred_failure_type))
      assert.deepEqual([...reasons], ['quantity_not_sufficient_failure'])
    })

    test('results of another person are held for people to decide', async () => {
      const order = await lab.order('wrong-patient')
      await lab.until(async () => {
        const received = await lab.listMessages('received')
        return received.some(({ state }) => state === 'held')
      })
      const { body } = await lab.wired.call('GET', `/v3/order/${order.id}`)
      assert.equal(body.last_event.status, 'received.walk_in_test.requisition_created')
    })

    test('an order that the laboratory cancels is cancelled', async () => {
      const order = await lab.order('cancelled')
      const ended = isFhir ? 'completed.walk_in_test.completed' : 'cancelled.walk_in_test.cancelled'
      await lab.wired.waitForStatus(order.id, ended)
    })

    test('an order is cancelled at the laboratory, which then sends nothing', async () => {
      const order = await lab.order('accept')
      const { status } = await lab.wired.call('POST', `/v3/order/${order.id}/cancel`)
      assert.equal(status, 200)
      await lab.wired.waitForStatus(order.id, 'cancelled.walk_in_test.cancelled')
      await lab.until(async () =>
        lab.events.some(({ number, what }) => number === order.number && what === 'cancellation'),
      )
    })

    test('an order is sent again after the connection broke, and taken once', async () => {
      const order = await lab.order('lose, final')
      await lab.wired.waitForStatus(order.id, 'completed.walk_in_test.completed')
      const said = lab.events.filter(({ number }) => number === order.number)
      assert.match(said[0]?.text ?? '', /the connection breaks$/)
      assert.equal(said.filter(({ what }) => what === 'final').length, 1)
    })

    test('an order that is refused waits for the operator, with the reason', async () => {
      const placed = await lab.wired.place({ clinical_notes: '[sandbox: refuse]' })
      await lab.until(async () => {
        const sent = await lab.listMessages('message')
        return sent.some(({ order_id: id, state }) => id === placed.id && state === 'refused')
      })
    })

    test('a message that is sent twice makes one version', async () => {
      const order = await lab.order('final')
      await lab.wired.waitForStatus(order.id, 'completed.walk_in_test.completed')
      const listVersions = async () =>
        (await lab.wired.call('GET', `/v3/order/${order.id}/result/version`)).body.data
      const before = await listVersions()
      await run(order, 'duplicate')
      // What comes later was read behind it.
      const later = await lab.order('final')
      await lab.wired.waitForStatus(later.id, 'completed.walk_in_test.completed')
      assert.deepEqual(await listVersions(), before)
    })
  })
}
