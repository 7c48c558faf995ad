import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Requisition, RequisitionTest } from '@salus/contracts/lab-gateway'
import {
  type LabEvent,
  readScenario,
  startHl7Laboratory,
  toCompendium,
  type WiredLaboratory as SandboxLaboratory,
} from '@salus/sandbox/wired-lab'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** The laboratory of a sandbox, over MLLP, against what the simulator makes of the same order. */

const PROFILES = ['loi-lri-2.5.1'] as const

for (const profile of PROFILES) {
  describe(`with ${profile}`, () => {
    let wired: WiredLaboratory
    let laboratory: SandboxLaboratory
    const events: LabEvent[] = []

    before(async () => {
      wired = await createWiredLaboratory()
      const page = await wired.call('GET', '/v3/lab_tests/markers?lab_slug=quest&size=100')
      laboratory = await startHl7Laboratory({
        listen: { host: '127.0.0.1', port: 0 },
        sendTo: { host: '127.0.0.1', port: wired.resultsPort },
        labSlug: 'quest',
        labName: 'Quest',
        zone: 'America/New_York',
        compendium: toCompendium(page.body.markers),
        scenario: readScenario(''),
        paceSeconds: 0,
        now: () => wired.harness.clock.now(),
        onEvent: (event) => events.push(event),
      })
      await wired.connect({
        profile,
        orders: { kind: 'mllp', host: '127.0.0.1', port: laboratory.port },
      })
    })
    after(async () => {
      await laboratory?.close()
      await wired?.close()
    })

    test('x', async () => {
      const placed = await wired.place({ clinical_notes: '[sandbox: preliminary, final, corrected]' })
      await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
      await wired.waitForStatus(placed.id, 'completed.walk_in_test.corrected').catch(console.log)
      const { body } = await wired.call('GET', `/v3/order/${placed.id}/result`)
      console.log(events)
      console.log(JSON.stringify(body, null, 1).slice(0, 6000))
      const m = await wired.harness.database.pool.query("select convert_from(content,'utf8') as c, state from lab_messages")
      for (const r of m.rows) console.log(r.state, r.c?.replaceAll('\r', '\n'))
    })
  })
}
