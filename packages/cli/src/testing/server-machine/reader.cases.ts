import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  attempt,
  findConfinement,
  listConfinements,
} from '../../../../lab-report-parser/src/process/confinement.ts'
import { READER_PROTECTIONS } from '../../../../lab-report-parser/src/report.ts'
import type { MachineFixture } from './machine-fixture.ts'

/** What code could get at that has taken over a process which reads uploaded files. */
export function testReader(fixture: MachineFixture): void {
  test('a reader that was taken over gets at no key, no environment and no store of the server', async (t) => {
    const confinement = await findConfinement()
    if (confinement.protections.length < READER_PROTECTIONS.length) {
      return t.skip(`this system has only ${confinement.protections.join(', ') || 'nothing'}`)
    }
    const { url, dataDirectory, pid } = fixture.server
    const [database] = globSync(join(dataDirectory, '**/postmaster.pid'))
    assert.ok(database)
    const [databasePid, , , databasePort] = readFileSync(database, 'utf8').split('\n')
    const pids = [pid(), Number(databasePid)]
    const files = ['secret.key', 'keys.json', 'salus.lock', 'postgres/password']
    const ports = [Number(new URL(url).port), Number(databasePort)]
    const attempts = {
      read: [
        ...[dataDirectory, ...files.map((name) => join(dataDirectory, name)), database],
        ...pids.flatMap((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`]),
      ],
      write: [dataDirectory],
      tcp: ports.map((port) => ({ host: '127.0.0.1', port })),
      signal: pids,
    }
    const unconfined = listConfinements().at(-1)
    assert.ok(unconfined)
    const all = await attempt(unconfined, { ...attempts, write: [] })
    assert.equal(all.length, attempts.read.length + ports.length + pids.length, all.join('\n'))
    assert.deepEqual(await attempt(confinement, attempts), [])
  })
}
